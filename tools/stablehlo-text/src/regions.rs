//! The ops that have regions in their own syntax. All others that have some are printed in generic form.

use crate::{
    Error,
    cursor::Cursor,
    rewrite::Rewriter,
    signature::{Signature, Types},
    tokens::Kind,
};

impl Rewriter<'_> {
    /// `stablehlo.while(%i = %c, %x = %a) : tensor<i32>, tensor<f32> cond {…} do {…}`.
    pub(crate) fn while_op(&mut self) -> Result<(), Error> {
        let carried = carried(&mut self.cursor)?;
        let signature = Signature::read(&mut self.cursor, Types::Pairwise, carried.len())?;
        if signature.operands.len() != carried.len() {
            return Err(self.cursor.expected(&format!("{} types", carried.len())));
        }
        let attributes = match self.cursor.accept("attributes") {
            true => self.dictionary()?,
            false => String::new(),
        };
        let values: Vec<String> = carried.iter().map(|(_, value)| value.clone()).collect();
        let arguments: Vec<String> = (carried.iter().zip(&signature.operands))
            .map(|((argument, _), of)| format!("{argument}: {of}"))
            .collect();
        self.begin("stablehlo.while", &values);
        for (word, front) in [("cond", " ("), ("do", ", ")] {
            self.cursor.expect(word)?;
            self.skip();
            self.write(format_args!("{front}"));
            self.region(&arguments.join(", "))?;
        }
        self.write(format_args!("){attributes} : {signature}"));
        Ok(())
    }

    /// `stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : …`, or with
    /// `reducer(%a: tensor<f32>, %b: tensor<f32>) {…}` at its end.
    pub(crate) fn reduce(&mut self) -> Result<(), Error> {
        let operands = reduced(&mut self.cursor)?;
        let applied = match self.cursor.accept("applies") {
            true => Some(self.cursor.expect_kind(Kind::Word, "the name of an op")?),
            false => None,
        };
        self.cursor.expect("across")?;
        self.cursor.expect("dimensions")?;
        self.cursor.expect("=")?;
        let dimensions = self.cursor.list(Cursor::integer)?;
        let dictionary = self.dictionary()?;
        let signature = Signature::read(&mut self.cursor, Types::Same, operands.len())?;
        self.begin("stablehlo.reduce", &operands);
        self.write(format_args!(" <{{dimensions = array<i64"));
        if !dimensions.is_empty() {
            self.write(format_args!(": {}", dimensions.join(", ")));
        }
        self.write(format_args!(">}}> ("));
        match applied {
            Some(op) => self.applied(op, &signature)?,
            None => {
                self.cursor.expect("reducer")?;
                let arguments = reducer(&mut self.cursor)?;
                self.skip();
                self.region(&arguments)?;
            }
        }
        self.write(format_args!("){dictionary} : {signature}"));
        self.skip_read();
        Ok(())
    }

    /// A region that is one op of two elements, which are like an initial value.
    fn applied(&mut self, op: &str, signature: &Signature) -> Result<(), Error> {
        let [.., of] = &signature.operands[..] else {
            return Err(self.cursor.expected("types of arrays and initial values"));
        };
        let [a, b, result] = ["a", "b", "result"].map(|name| format!("{}.{name}", self.fresh));
        self.write(format_args!("{{ ^bb0({a}: {of}, {b}: {of}): "));
        self.write(format_args!(
            "{result} = \"{op}\"({a}, {b}) : ({of}, {of}) -> {of} "
        ));
        self.write(format_args!(
            "\"stablehlo.return\"({result}) : ({of}) -> () }}"
        ));
        Ok(())
    }
}

/// `(%argument = %value, …)`.
fn carried(cursor: &mut Cursor) -> Result<Vec<(String, String)>, Error> {
    let mut carried = vec![];
    cursor.expect("(")?;
    while !cursor.accept(")") {
        if !carried.is_empty() {
            cursor.expect(",")?;
        }
        let argument = cursor.expect_kind(Kind::Value, "a value")?;
        cursor.expect("=")?;
        let value = cursor.expect_kind(Kind::Value, "a value")?;
        carried.push((argument.to_owned(), value.to_owned()));
    }
    Ok(carried)
}

/// `(%x init: %c), (%y init: %d)`: all arrays, and then all initial values.
fn reduced(cursor: &mut Cursor) -> Result<Vec<String>, Error> {
    let (mut arrays, mut initial) = (vec![], vec![]);
    loop {
        cursor.expect("(")?;
        arrays.push(cursor.expect_kind(Kind::Value, "a value")?.to_owned());
        cursor.expect("init")?;
        cursor.expect(":")?;
        initial.push(cursor.expect_kind(Kind::Value, "a value")?.to_owned());
        cursor.expect(")")?;
        if !cursor.accept(",") {
            arrays.append(&mut initial);
            return Ok(arrays);
        }
    }
}

/// `(%a: tensor<f32>, %b: tensor<f32>) (…)`, a pair for each array: the first of all pairs come first.
fn reducer(cursor: &mut Cursor) -> Result<String, Error> {
    let (mut left, mut right) = (vec![], vec![]);
    while cursor.accept("(") {
        left.push(argument(cursor)?);
        cursor.expect(",")?;
        right.push(argument(cursor)?);
        cursor.expect(")")?;
    }
    left.append(&mut right);
    Ok(left.join(", "))
}

/// `%a: tensor<f32> loc(…)`.
fn argument(cursor: &mut Cursor) -> Result<String, Error> {
    let value = cursor.expect_kind(Kind::Value, "a value")?;
    cursor.expect(":")?;
    let of = cursor.r#type()?;
    Ok(format!("{value}: {of}{}", cursor.place()?))
}
