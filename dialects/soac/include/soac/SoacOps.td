//===- SoacOps.td - All ops of the soac dialect ---------------------------===//

#ifndef SOAC_OPS_TD
#define SOAC_OPS_TD

include "soac/SoacCombinators.td"
include "soac/SoacCircuit.td"
include "soac/SoacSugar.td"
include "soac/SoacStructure.td"
include "soac/SoacMemory.td"

#endif // SOAC_OPS_TD
