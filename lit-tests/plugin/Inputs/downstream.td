// An op of another dialect on the soac dialect's arrays.

include "soac/SoacDialect.td"

def Other_Dialect : Dialect {
  let name = "other";
  let cppNamespace = "::other";
  let dependentDialects = ["::soac::SoacDialect"];
}

def Other_ScanOp : Op<Other_Dialect, "scan"> {
  let arguments = (ins Soac_Array:$input, Soac_Element:$neutral,
                       Soac_ExternalEffects:$effects);
  let results = (outs Soac_Array:$result);
}
