//! Each form of an op, next to its generic form; ops with regions; errors.

use comb_stablehlo_text::generic_form;

/// Lines in turns: an op in its own syntax, and in generic form.
const FORMS: &str = include_str!("forms.txt");

#[test]
fn each_form_becomes_generic() {
    let lines: Vec<&str> = FORMS.lines().collect();
    assert!(lines.len() > 60);
    for pair in lines.chunks(2) {
        assert_eq!(generic_form(pair[0]).unwrap(), pair[1]);
    }
}

#[test]
fn generic_form_stays() {
    for generic in FORMS.lines().skip(1).step_by(2) {
        assert_eq!(generic_form(generic).unwrap(), generic);
    }
}

#[test]
fn loops_have_regions() {
    let own = "\
func.func @f(%n: tensor<i32>) -> tensor<i32> { // stablehlo.add %a, %b
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %c) : tensor<i32> attributes {tag = 1 : i32}
    cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %i : tensor<i32> loc(#loc1)
    stablehlo.return %1 : tensor<i32>
  } loc(\"a\")
  return %0 : tensor<i32>
}
";
    let generic = "\
func.func @f(%n: tensor<i32>) -> tensor<i32> { // stablehlo.add %a, %b
  %c = \"stablehlo.constant\"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
  %0 = \"stablehlo.while\"(%c)
 ({ ^bb0(%i: tensor<i32>):
    %1 = \"stablehlo.compare\"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : \
(tensor<i32>, tensor<i32>) -> (tensor<i1>)
    \"stablehlo.return\"(%1) : (tensor<i1>) -> ()
  }, { ^bb0(%i: tensor<i32>):
    %1 = \"stablehlo.add\"(%i, %i) : (tensor<i32>, tensor<i32>) -> (tensor<i32>) loc(#loc1)
    \"stablehlo.return\"(%1) : (tensor<i32>) -> ()
  }) {tag = 1 : i32} : (tensor<i32>) -> (tensor<i32>) loc(\"a\")
  return %0 : tensor<i32>
}
";
    assert_eq!(generic_form(own).unwrap(), generic);
}

#[test]
fn reducers_have_the_first_of_all_pairs_first() {
    let own = "\
%0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0] {tag} : \
(tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
 reducer(%l: tensor<f32> loc(\"l\"), %r: tensor<f32>) (%m: tensor<i32>, %s: tensor<i32>) {
  stablehlo.return %l, %m : tensor<f32>, tensor<i32>
}
";
    let generic = "\
%0:2 = \"stablehlo.reduce\"(%x, %y, %a, %b) <{dimensions = array<i64: 0>}> (
{ ^bb0(%l: tensor<f32> loc(\"l\"), %m: tensor<i32>, %r: tensor<f32>, %s: tensor<i32>):
  \"stablehlo.return\"(%l, %m) : (tensor<f32>, tensor<i32>) -> ()
}) {tag} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
";
    assert_eq!(generic_form(own).unwrap(), generic);
}

#[test]
fn attributes_with_names_of_ops_stay() {
    let text = "func.func private @f() attributes {stablehlo.add, stablehlo.sub = 1 : i32}\n";
    assert_eq!(generic_form(text).unwrap(), text);
}

#[test]
fn lines_stay_where_parts_of_ops_have_several() {
    let own = "%c = stablehlo.constant dense<[1.0,\n 2.0]> : tensor<2xf32>\n%y = stablehlo.add %c, %c {a = 1,\n b = 2} :\n tensor<2xf32>\n";
    let generic = generic_form(own).unwrap();
    assert_eq!(generic.matches('\n').count(), 5, "{generic}");
    assert_eq!(
        generic.lines().position(|line| line.contains("add")),
        Some(2)
    );
}

#[test]
fn attributes_may_begin_lines() {
    let text = "module attributes {\n  stablehlo.foo = 1 : i32,\n  stablehlo.bar = 2 : i32} {}\n";
    assert_eq!(generic_form(text).unwrap(), text);
}

#[test]
fn meshes_are_left_out() {
    let own = "module {\n  sdy.mesh @mesh = <[\"d\"=2]> {stablehlo.mesh = 1}\n  %0 = stablehlo.abs %a : tensor<f32>\n}\n";
    let generic =
        "module {\n  \n  %0 = \"stablehlo.abs\"(%a) : (tensor<f32>) -> (tensor<f32>)\n}\n";
    assert_eq!(generic_form(own).unwrap(), generic);
}

#[test]
fn names_of_own_values_are_new() {
    let own = "%reduce.a = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (!t, tensor<f32>) -> tensor<f32>";
    let generic = generic_form(own).unwrap();
    assert!(generic.contains("%reduce_.a: tensor<f32>"), "{generic}");
}

#[test]
fn truth_values_of_newer_mlir_become_bits() {
    let own = "%c = stablehlo.constant dense<\"0x010001\"> : tensor<3xi1>";
    let bits = "%c = \"stablehlo.constant\"() <{value = dense<\"0x05\"> : tensor<3xi1>}> : () -> (tensor<3xi1>)";
    assert_eq!(generic_form(own).unwrap(), bits);
    assert_eq!(generic_form(&bits.replace("05", "010001")).unwrap(), bits);
}

#[test]
fn errors_have_places() {
    let refused = |text: &str, at: &str, message: &str| {
        let error = generic_form(text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(text[error.at..].starts_with(at), "{error:?}");
    };
    refused(
        "%0 = stablehlo.add %a, %b tensor<4xf32>",
        "tensor",
        "'stablehlo.add' op expected ':', found 'tensor'",
    );
    refused(
        "%0 = stablehlo.transpose %a, perm = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
        "perm",
        "'stablehlo.transpose' op expected 'dims', found 'perm'",
    );
    refused(
        "%0 = stablehlo.reduce_precision %a, format = f16 : tensor<4xf32>",
        "f16",
        "'stablehlo.reduce_precision' op expected a format such as 'e5m10', found 'f16'",
    );
    refused(
        "%0 = stablehlo.while(%i = %c) : tensor<i32> cond {",
        "{",
        "'stablehlo.while' op expected a region that ends, found '{'",
    );
    refused(
        "sdy.mesh @mesh <[]>",
        "<",
        "'sdy.mesh' op expected '=', found '<'",
    );
    let nested = "%0 = stablehlo.while() cond {".repeat(10_000);
    refused(
        &nested,
        "{",
        "'stablehlo.while' op expected regions in 200 others at most, found '{'",
    );
}
