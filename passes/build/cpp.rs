//! The C++ of passes: their classes, and what pipelines need to have their options.

use std::fmt::Write as _;

use super::declarations::{Declarations, Pass};

/// What asks MLIR's generated header for the base classes of all passes.
pub fn definitions(declarations: &Declarations) -> String {
    let names = declarations.passes.iter();
    names.fold(String::new(), |mut text, pass| {
        let _ = writeln!(text, "#define GEN_PASS_DEF_{}", pass.name.to_uppercase());
        text
    })
}

/// The classes of passes: each gives its options to `runInRust`.
pub fn classes(declarations: &Declarations) -> String {
    declarations.passes.iter().map(class).collect()
}

fn class(pass: &Pass) -> String {
    let Pass { name, .. } = pass;
    let options = pass.options.iter().fold(String::new(), |mut text, option| {
        let (argument, member) = (&option.argument, &option.member);
        let list = if option.list { "List" } else { "" };
        let _ = writeln!(text, "    options.add{list}(\"{argument}\", {member});");
        text
    });
    let statistics = pass
        .statistics
        .iter()
        .fold(String::new(), |mut text, statistic| {
            let (known, member) = (&statistic.name, &statistic.member);
            let _ = writeln!(
                text,
                "    if (name == \"{known}\")\n      {member} += number;"
            );
            text
        });
    format!(
        "struct {name} : public comb::impl::{name}Base<{name}> {{
  using {name}Base::{name}Base;
  LogicalResult initialize(MLIRContext *context) final {{
    Preparation<{name}>::run(context);
    return success();
  }}
  void runOnOperation() final {{
    Options options(getContext());
{options}    if (!runInRust(*this, Pass::getOperation(), options))
      signalPassFailure();
  }}
  void count(StringRef name, int64_t number) {{
{statistics}  }}
}};

"
    )
}

/// For each pass with options, a struct that gives its options to a pipeline.
pub fn pipeline_options(declarations: &Declarations) -> String {
    let passes = declarations.passes.iter();
    let passes = passes.filter(|pass| !pass.options.is_empty());
    passes.map(options_of).collect()
}

fn options_of(pass: &Pass) -> String {
    let Pass { name, argument, .. } = pass;
    let mut text = format!(
        "/// The options of {argument}, of a pipeline that runs it.
struct {name}InPipeline {{
  explicit {name}InPipeline(detail::PassOptions &parent) : parent(parent) {{}}

  detail::PassOptions &parent;
  comb::{name}Options defaults;
"
    );
    let mut copies = String::new();
    for option in &pass.options {
        let (member, argument) = (&option.member, &option.argument);
        let kind = option.kind.cpp();
        let description = &option.description;
        let (class, usual) = match option.list {
            true => ("ListOption", String::new()),
            false => (
                "Option",
                format!(",\n    llvm::cl::init(defaults.{member})"),
            ),
        };
        let _ = writeln!(
            text,
            "  detail::PassOptions::{class}<{kind}> {member}{{\n    parent, \"{argument}\",\n    \
             llvm::cl::desc({description:?}){usual}}};"
        );
        let _ = match option.list {
            true => writeln!(
                copies,
                "    options.{member}.assign({member}.begin(), {member}.end());"
            ),
            false => writeln!(copies, "    options.{member} = {member};"),
        };
    }
    let _ = write!(
        text,
        "
  comb::{name}Options ofPass() const {{
    comb::{name}Options options;
{copies}    return options;
  }}

  /// The pass with its options.
  std::string text() const {{ return textOf(comb::create{name}(ofPass())); }}
}};

"
    );
    text
}
