// A step of page rank: each node shares its rank out to the targets of its edges.
func.func @pagerank(%sources: tensor<?xi32>, %targets: tensor<?xi32>, %degrees: tensor<?xi32>,
                    %ranks: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %jump = arith.constant 0.15 : f32
  %follow = arith.constant 0.85 : f32
  %nodes = arith.index_cast %n : index to i32
  %number = arith.sitofp %nodes : i32 to f32
  %base = arith.divf %jump, %number : f32
  %rank_at = soac.gather %ranks at %sources : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %degree_at = soac.gather %degrees at %sources : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %shares = soac.map %rank_at, %degree_at : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
      (%rank: f32, %degree: i32) {
    %edges = arith.sitofp %degree : i32 to f32
    %share = arith.divf %rank, %edges : f32
    soac.yield %share : f32
  }
  %zeros = soac.fill %zero [%n] : (f32) -> tensor<?xf32>
  %sums = soac.scatter %shares into %zeros at %targets
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32> (%old: f32, %new: f32) {
    %sum = arith.addf %old, %new fastmath<reassoc,contract> : f32
    soac.yield %sum : f32
  }
  %next = soac.map %sums : (tensor<?xf32>) -> tensor<?xf32> (%sum: f32) {
    %followed = arith.mulf %follow, %sum fastmath<contract> : f32
    %rank = arith.addf %base, %followed fastmath<contract> : f32
    soac.yield %rank : f32
  }
  return %next : tensor<?xf32>
}
