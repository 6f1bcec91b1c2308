//! Every op of the dialect, built by its method of `Builder`.

use melior::{
    Context, Error,
    dialect::DialectRegistry,
    ir::{Location, Module, Type, operation::OperationLike},
    utility::register_all_dialects,
};
use soac_dialect::builder::{
    Builder, FloatPredicate, Size, Slice, array_type,
    combinators::{Bounds, Effects, Scan},
};

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    soac_dialect::register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// The module that `build` fills: verified, and as text.
fn built<'c>(
    context: &'c Context,
    build: impl for<'a> FnOnce(&Builder<'c, 'a>, Type<'c>) -> Result<(), Error>,
) -> String {
    let location = Location::unknown(context);
    let module = Module::new(location);
    build(
        &Builder::at_end(module.body(), location),
        Type::float32(context),
    )
    .expect("MLIR accepts the ops");
    assert!(module.as_operation().verify());
    module.as_operation().to_string()
}

#[test]
fn combinators_are_built() {
    let context = context();
    let module = built(&context, |builder, f32| {
        let array = array_type(&[None], f32);
        let indices = array_type(&[None], builder.index_type());
        builder.function(
            "main",
            &[array, indices, builder.index_type()],
            |b, arguments| {
                let (xs, is, n) = (arguments[0], arguments[1], arguments[2]);
                let zero = b.float(0.0, f32)?;
                let generated = b.generate(&[Size::Dynamic(n)], |_, index| Ok(index.to_vec()))?;
                let sums = b.map(&[xs, xs], |b, e| Ok(vec![b.arithmetic("arith.addf", e)?]))?;
                let gathered = b.gather(&sums, &generated, Bounds::Checked)?;
                let written = b.scatter(&gathered, &[xs], &[is], Bounds::Unchecked)?;
                let added =
                    b.scatter_combining(&gathered, &written, &[is], Bounds::Checked, |b, e| {
                        Ok(vec![b.arithmetic("arith.addf", e)?])
                    })?;
                let left = b.scanl(&added, &[zero], Scan::Exclusive, |b, e| {
                    Ok(vec![b.arithmetic("arith.addf", e)?])
                })?;
                let right = b.scanr(&left, &[zero], Scan::Inclusive, |b, e| {
                    Ok(vec![b.arithmetic("arith.addf", e)?])
                })?;
                let positive = b.filter(&right, |b, e| {
                    Ok(vec![b.compare_floats(FloatPredicate::Ogt, e[0], zero)?])
                })?;
                let sorted = b.sort(&positive, |b, e| {
                    Ok(vec![b.compare_floats(FloatPredicate::Olt, e[0], e[1])?])
                })?;
                let forced = b.force(&sorted)?;
                b.fold(&forced, &[zero], |b, e| {
                    Ok(vec![b.arithmetic("arith.maximumf", e)?])
                })
            },
        )?;
        Ok(())
    });
    insta::assert_snapshot!(module);
}

#[test]
fn maps_of_inner_arrays_are_built() {
    let context = context();
    let module = built(&context, |builder, f32| {
        let rows = array_type(&[None, None, Some(4)], f32);
        builder.function("main", &[rows, builder.index_type()], |b, arguments| {
            let zero = b.float(0.0, f32)?;
            let rows = &arguments[..1];
            let reversed = b.map_outer(rows, 1, &arguments[1..], |b, row| b.reverse(row, &[0]))?;
            let elements = b.map_outer(&reversed, 3, &[], |_, e| Ok(e.to_vec()))?;
            b.fold_inner(&elements, &[zero], 2, |b, e| {
                Ok(vec![b.arithmetic("arith.addf", e)?])
            })
        })?;
        Ok(())
    });
    insta::assert_snapshot!(module);
}

#[test]
fn rearrangements_are_built() {
    let context = context();
    let module = built(&context, |builder, f32| {
        let matrix = array_type(&[None, Some(4)], f32);
        builder.function("main", &[matrix, builder.index_type()], |b, arguments| {
            let n = Size::Dynamic(arguments[1]);
            let matrix = arguments[0];
            let rotated = b.rotate(&[matrix], &[n])?;
            let reversed = b.reverse(&rotated, &[0, 1])?;
            let taken = b.take(&reversed, &[n])?;
            let dropped = b.drop(&taken, &[Size::Static(1), Size::Static(2)])?;
            let turned = b.transpose(&dropped, &[1, 0])?;
            let flat = b.reshape(&turned, &[n])?;
            let slice = Slice {
                offsets: vec![n],
                sizes: vec![Size::Static(3)],
                strides: vec![Size::Static(-2)],
            };
            let part = b.slice(&flat, &slice, Bounds::Checked)?;
            let joined = b.concat(&[part[0], flat[0]], 0)?;
            let repeated = b.replicate(&joined, &[Size::Static(2)])?;
            let diagonal = b.lmad_slice(matrix, n, &[n], &[Size::Static(5)], Bounds::Checked)?;
            let one = [Size::Static(1), Size::Static(1)];
            let start = [Size::Static(0), n];
            let updated = b.update(repeated[0], matrix, &start, &one, Bounds::Unchecked)?;
            let five = [Size::Static(5)];
            b.lmad_update(
                diagonal[0],
                updated[0],
                Size::Static(0),
                &five,
                Bounds::Checked,
            )
        })?;
        Ok(())
    });
    insta::assert_snapshot!(module);
}

#[test]
fn sources_and_structure_are_built() {
    let context = context();
    let module = built(&context, |builder, f32| {
        let array = array_type(&[None], f32);
        let declared = [array, builder.index_type()];
        builder.op(
            "func.func",
            &[],
            &[],
            &[
                ("sym_name", builder.string("opaque")),
                ("sym_visibility", builder.string("private")),
                (
                    "function_type",
                    builder.attribute("(tensor<?xf32>, index) -> tensor<?xf32>")?,
                ),
            ],
            vec![melior::ir::Region::new()],
        )?;
        builder.function("main", &declared, |b, arguments| {
            let n = Size::Dynamic(arguments[1]);
            let one = b.float(1.0, f32)?;
            let counted = b.iota(&[n, Size::Static(2)], 1, b.integer_type(32))?;
            let ones = b.fill(&[one], &[n])?;
            let zipped = b.zip(&[arguments[0], ones[0]])?;
            let called = b.external("opaque", arguments, &[array], Effects::Read)?;
            let permuted =
                b.backpermute(&called, &[n], Bounds::Unchecked, |_, i| Ok(i.to_vec()))?;
            let clustered = b.cluster(&permuted, |b, inputs| {
                b.map(inputs, |b, e| Ok(vec![b.arithmetic("math.exp", e)?]))
            })?;
            let pairs = b.cross(&clustered, &[zipped[0], zipped[1]])?;
            Ok::<_, Error>([vec![counted], pairs].concat())
        })?;
        Ok(())
    });
    insta::assert_snapshot!(module);
}

#[test]
fn ops_without_result_types_are_errors() {
    let context = context();
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let builder = Builder::at_end(module.body(), location);
    let vector = array_type(&[Some(2)], Type::float32(&context));
    let built = builder.function("main", &[vector], |b, arguments| {
        b.transpose(arguments, &[1, 0])
    });
    assert!(built.is_err());
}

#[test]
fn violations_are_found_by_the_verifier() {
    let context = context();
    let f32 = Type::float32(&context);
    let location = Location::unknown(&context);
    let module = Module::new(location);
    let builder = Builder::at_end(module.body(), location);
    let arrays = [array_type(&[Some(2)], f32), array_type(&[Some(3)], f32)];
    builder
        .function("main", &arrays, |b, arguments| {
            b.map(arguments, |b, e| Ok(vec![b.arithmetic("arith.addf", e)?]))
        })
        .expect("result types are inferred from the first input");
    assert!(!module.as_operation().verify());
}
