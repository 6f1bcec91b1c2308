//! What the combinators of a cluster are made of, as far as it can be known
//! before an element is computed: sizes of loops and results.
//!
//! Sizes are checked here, in the words of the combinators that run alone.
//! The results of a filter are as large as the loop allows; what reads them
//! element by element has that filter as its *clock*.

use super::source::{Origin, Source};
use crate::call::Call;
use crate::failure::Failure;
use crate::soac::arrangement::Arrangement;
use crate::soac::combinators::inner_shapes;
use crate::soac::requirement::same_shape;

/// A combinator, and what its steps need to know.
pub(super) enum Kind {
    Generate,
    Iota { dim: usize },
    Fill,
    Zip,
    Map { inner: Vec<Vec<usize>> },
    Cross { left_rank: usize },
    Gather(Reading),
    Fold,
    ScanLeft,
    ScanRight,
    Filter,
    Scatter { in_any_order: bool },
}

/// How a gather, or an op like it, finds the index that it reads.
pub(super) enum Reading {
    /// In the arrays of indices.
    Indices,
    /// Its lambda yields it.
    Lambda,
    /// As a structured combinator.
    Arranged(Arrangement),
}

/// Sizes of a combinator.
pub(super) struct Form {
    pub(super) kind: Kind,
    /// The sizes of the dimensions that `soac.orders` speaks of.
    pub(super) ordered: Vec<usize>,
    /// The lengths of the loops inside those, which go forwards: the reducing
    /// ones, or those of a gather that run once.
    pub(super) further: Vec<usize>,
    /// The shapes of the results.
    pub(super) shapes: Vec<Vec<usize>>,
    /// The filter whose results are read element by element.
    pub(super) clock: Option<usize>,
    /// The filter that decides how large the first dimension of the results is.
    pub(super) result_clock: Option<usize>,
    /// Complete operands, which must be as large as the clock's results.
    pub(super) as_large_as_clock: Vec<usize>,
    /// The shape of what a gather reads; of a cross, the right arrays.
    pub(super) source: Vec<usize>,
}

/// The size of an operand.
#[derive(Clone)]
pub(super) struct Extent {
    pub(super) shape: Vec<usize>,
    pub(super) clock: Option<usize>,
}

/// What arrays have in common that are read element by element.
struct Domain {
    shape: Vec<usize>,
    clock: Option<usize>,
    as_large_as_clock: Vec<usize>,
}

impl Form {
    /// The form of a combinator with these operands and this number.
    pub(super) fn of(
        call: &Call,
        operands: &[Option<Source>],
        extents: &[Option<Extent>],
        number: usize,
    ) -> Result<Form, Failure> {
        let operands = Operands {
            call,
            sources: operands,
            extents,
        };
        let form = match call.op.name.as_str() {
            "soac.generate" => made(call, Kind::Generate, 0)?,
            "soac.iota" => {
                let dim = call.op.integer("dim").unwrap_or(0) as usize;
                made(call, Kind::Iota { dim }, 0)?
            }
            "soac.fill" => made(call, Kind::Fill, 1)?,
            "soac.zip" => operands.elementwise(Kind::Zip)?,
            "soac.map" => operands.map()?,
            "soac.cross" => operands.cross()?,
            "soac.gather" => operands.gather()?,
            "soac.backpermute" => operands.backpermute()?,
            "soac.fold" => operands.fold()?,
            "soac.scanl" => operands.elementwise(Kind::ScanLeft)?,
            "soac.scanr" => operands.elementwise(Kind::ScanRight)?,
            "soac.filter" => operands.filter(number)?,
            "soac.scatter" => operands.scatter()?,
            "soac.replicate" | "soac.reverse" | "soac.rotate" | "soac.slice" | "soac.take"
            | "soac.drop" | "soac.transpose" | "soac.reshape" | "soac.lmad_slice" => {
                operands.arranged()?
            }
            _ => return Err(call.error("cannot run in a cluster with orders")),
        };
        if form.result_clock.is_none() {
            call.promise(&form.shapes)?;
        }
        Ok(form)
    }

    /// A combinator with a loop for each dimension of a shape, which is also
    /// that of its results.
    fn over(call: &Call, kind: Kind, shape: Vec<usize>) -> Form {
        Form {
            kind,
            further: vec![],
            shapes: vec![shape.clone(); call.op.results.len()],
            ordered: shape,
            clock: None,
            result_clock: None,
            as_large_as_clock: vec![],
            source: vec![],
        }
    }

    /// As [`Form::over`], for the shape of what is read element by element.
    fn over_domain(call: &Call, kind: Kind, domain: Domain) -> Form {
        Form {
            clock: domain.clock,
            result_clock: domain.clock,
            as_large_as_clock: domain.as_large_as_clock,
            ..Form::over(call, kind, domain.shape)
        }
    }

    /// As [`Form::over`], for the results of a gather that reads arrays of a
    /// shape. It has a loop for each dimension of the source, too.
    fn reading(call: &Call, reading: Reading, shape: Vec<usize>, source: Vec<usize>) -> Form {
        Form {
            further: vec![1; source.len().saturating_sub(shape.len())],
            source,
            ..Form::over(call, Kind::Gather(reading), shape)
        }
    }
}

/// A combinator that reads no arrays; a group of operands has the sizes.
fn made(call: &Call, kind: Kind, group: usize) -> Result<Form, Failure> {
    let sizes = call.mixed("static_sizes", call.group(group))?;
    let shape = call.sizes(&sizes, "size {}")?;
    Ok(Form::over(call, kind, shape))
}

/// The operands of a combinator.
struct Operands<'a, 'm, 'p> {
    call: &'a Call<'m, 'p>,
    sources: &'a [Option<Source>],
    extents: &'a [Option<Extent>],
}

impl Operands<'_, '_, '_> {
    fn extent(&self, operand: usize) -> Result<&Extent, Failure> {
        self.extents
            .get(operand)
            .and_then(Option::as_ref)
            .ok_or_else(|| self.call.bug(&format!("operand {operand} is no array")))
    }

    fn is_complete(&self, operand: usize) -> bool {
        let source = self.sources[operand].as_ref();
        source.is_some_and(|source| matches!(source.origin, Origin::Given(_)))
    }

    /// What the operands of a group have in common.
    fn group(&self, group: usize, what: &str) -> Result<Domain, Failure> {
        let operands: Vec<_> = self
            .call
            .group(group)
            .enumerate()
            .map(|(position, operand)| (operand, format!("{what} 0 and {position}")))
            .collect();
        self.domain(&operands, None)
    }

    /// What operands have in common, in their outer dimensions if not in all.
    /// Each comes with the words for it and the first one.
    fn domain(
        &self,
        operands: &[(usize, String)],
        outer: Option<usize>,
    ) -> Result<Domain, Failure> {
        let extents = operands
            .iter()
            .map(|(operand, _)| {
                let mut extent = self.extent(*operand)?.clone();
                extent.shape.truncate(outer.unwrap_or(usize::MAX));
                Ok(extent)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let chosen = extents.iter().position(|extent| extent.clock.is_some());
        let chosen = chosen.unwrap_or(0);
        let clock = extents[chosen].clock;
        let mut as_large_as_clock = vec![];
        for (position, (operand, what)) in operands.iter().enumerate() {
            let what = if position == 0 {
                &operands[chosen].1
            } else {
                what
            };
            let (first, other) = (&extents[chosen], &extents[position]);
            if other.clock == clock {
                same_shape(self.call, &first.shape, &other.shape, what)?;
            } else if self.is_complete(*operand) {
                let what = format!("{what}, apart from dimension 0,");
                same_shape(self.call, &first.shape[1..], &other.shape[1..], &what)?;
                as_large_as_clock.push(*operand);
            } else {
                return Err(self.call.error(&format!(
                    "reads elements that a filter keeps together with operand {operand}, whose \
                     elements that filter does not choose"
                )));
            }
        }
        Ok(Domain {
            shape: extents[chosen].shape.clone(),
            clock,
            as_large_as_clock,
        })
    }

    /// The shape of arrays that are read at any position.
    fn anywhere(&self, group: usize, what: &str) -> Result<Vec<usize>, Failure> {
        let domain = self.group(group, what)?;
        if domain.clock.is_some() {
            return Err(self.call.error(
                "reads the results of a filter in the same cluster at other positions than the \
                 loop's",
            ));
        }
        Ok(domain.shape)
    }

    fn elementwise(&self, kind: Kind) -> Result<Form, Failure> {
        let domain = self.group(0, "operands")?;
        Ok(Form::over_domain(self.call, kind, domain))
    }

    fn map(&self) -> Result<Form, Failure> {
        let operands: Vec<_> = self.call.group(0).collect();
        let outer = match self.call.op.integer("outer") {
            Some(outer) => outer as usize,
            None => self.extent(operands[0])?.shape.len(),
        };
        let operands: Vec<_> = operands
            .iter()
            .map(|operand| (*operand, format!("operands {} and {operand}", operands[0])))
            .collect();
        let domain = self.domain(&operands, Some(outer))?;
        let inner = inner_shapes(self.call)?;
        let shapes = inner
            .iter()
            .map(|inner| [domain.shape.as_slice(), inner].concat())
            .collect();
        Ok(Form {
            shapes,
            ..Form::over_domain(self.call, Kind::Map { inner }, domain)
        })
    }

    fn cross(&self) -> Result<Form, Failure> {
        let mut domain = self.group(0, "left arrays")?;
        let left_rank = domain.shape.len();
        let source = self.anywhere(1, "right arrays")?;
        domain.shape.extend_from_slice(&source);
        Ok(Form {
            source,
            ..Form::over_domain(self.call, Kind::Cross { left_rank }, domain)
        })
    }

    fn gather(&self) -> Result<Form, Failure> {
        let source = self.anywhere(0, "sources")?;
        let mut domain = self.group(1, "index arrays")?;
        let inner = &source[self.call.group(1).len()..];
        domain.shape.extend_from_slice(inner);
        let form = Form::reading(self.call, Reading::Indices, domain.shape, source);
        Ok(Form {
            clock: domain.clock,
            result_clock: domain.clock,
            as_large_as_clock: domain.as_large_as_clock,
            ..form
        })
    }

    fn backpermute(&self) -> Result<Form, Failure> {
        let source = self.anywhere(0, "operands")?;
        let sizes = self.call.mixed("static_sizes", self.call.group(1))?;
        let shape = self.call.sizes(&sizes, "size {}")?;
        Ok(Form::reading(self.call, Reading::Lambda, shape, source))
    }

    fn arranged(&self) -> Result<Form, Failure> {
        let source = self.anywhere(0, "operands")?;
        let arrangement = Arrangement::of(self.call, &source)?;
        let shape = arrangement.shape.clone();
        let reading = Reading::Arranged(arrangement);
        Ok(Form::reading(self.call, reading, shape, source))
    }

    fn fold(&self) -> Result<Form, Failure> {
        let mut domain = self.group(0, "operands")?;
        let inner = self.call.op.integer("inner").unwrap_or(1) as usize;
        let further = domain.shape.split_off(domain.shape.len() - inner);
        let form = Form::over_domain(self.call, Kind::Fold, domain);
        Ok(Form {
            result_clock: form.clock.filter(|_| !form.ordered.is_empty()),
            further,
            ..form
        })
    }

    fn filter(&self, number: usize) -> Result<Form, Failure> {
        Ok(Form {
            result_clock: Some(number),
            ..self.elementwise(Kind::Filter)?
        })
    }

    fn scatter(&self) -> Result<Form, Failure> {
        let call = self.call;
        let sources = call.group(0).enumerate();
        let sources = sources.map(|(position, operand)| {
            let what = format!("sources 0 and {position}");
            (operand, what)
        });
        let indices = call.group(2).enumerate();
        let indices = indices.map(|(position, operand)| {
            let what = format!("source 0 and index array {position}");
            (operand, what)
        });
        let operands: Vec<_> = sources.chain(indices).collect();
        let domain = self.domain(&operands, None)?;
        if let Some(dest) = call.group(1).find(|dest| !self.is_complete(*dest)) {
            return Err(call.error(&format!(
                "updates operand {dest}, which is computed in the same cluster"
            )));
        }
        let dests = self.group(1, "destinations")?;
        let in_any_order = call.op.flag("any_write");
        let form = Form::over_domain(call, Kind::Scatter { in_any_order }, domain);
        Ok(Form {
            shapes: vec![dests.shape; call.op.results.len()],
            result_clock: None,
            ..form
        })
    }
}
