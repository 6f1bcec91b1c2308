//! How the dialect `vhlo` encodes its attributes and types: StableHLO with a version for every op,
//! attribute and type, which portable artifacts are written in.
//!
//! Codes never change their meaning; new ones are added with new versions.

use crate::{
    builtin::blob,
    cursor::Cursor,
    error::{Error, Fault},
    file::File,
    model::{self, Attribute, Sign, Type},
};

/// Decodes an attribute.
pub(crate) fn attribute<'b>(
    file: &File<'b>,
    cursor: &mut Cursor<'b>,
) -> Result<Attribute<'b>, Error> {
    let id = |cursor: &mut Cursor<'b>| file.attribute_id(cursor);
    Ok(match cursor.number()? {
        1 => Attribute::Array(cursor.list(id)?),
        2 => match cursor.number()? {
            value @ 0..=1 => Attribute::Bool(value == 1),
            value => return Err(cursor.damaged(format!("{value} is no truth value"))),
        },
        3 => case(
            cursor,
            "comparison_direction",
            &["EQ", "NE", "GE", "GT", "LE", "LT"],
        )?,
        4 => case(
            cursor,
            "comparison_type",
            &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"],
        )?,
        5 => case(cursor, API_VERSION, &["0", "1", "2", "3", "4"])?,
        6 => Attribute::Dictionary(cursor.list(|cursor| Ok((id(cursor)?, id(cursor)?)))?),
        7 => case(cursor, "fft_type", &["FFT", "IFFT", "RFFT", "IRFFT"])?,
        8 | 9 => {
            let r#type = file.type_id(cursor)?;
            let bits = model::bits(file, cursor, r#type)?;
            Attribute::Number { bits, r#type }
        }
        10 => Attribute::OperandAlias {
            output: cursor.list(Cursor::signed)?,
            operand: cursor.signed()?,
            part: cursor.list(Cursor::signed)?,
        },
        11 => case(cursor, "precision", &["DEFAULT", "HIGH", "HIGHEST"])?,
        12 => case(cursor, "rng_algorithm", &["DEFAULT", "THREE_FRY", "PHILOX"])?,
        13 => case(cursor, "rng_distribution", &["", "UNIFORM", "NORMAL"])?,
        14 => Attribute::String(file.string(cursor)?),
        15 => Attribute::Elements {
            r#type: file.type_id(cursor)?,
            bytes: blob(cursor)?,
        },
        16 => case(
            cursor,
            "transpose",
            &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"],
        )?,
        17 => Attribute::Type(file.type_id(cursor)?),
        18 => Attribute::Bounds(cursor.list(Cursor::signed)?),
        19 => case(
            cursor,
            "result_accuracy_mode",
            &["DEFAULT", "HIGHEST", "TOLERANCE"],
        )?,
        20 => {
            cursor.signed()?;
            cursor.signed()?;
            cursor.signed()?;
            id(cursor)?;
            Attribute::Other("result_accuracy", vec![])
        }
        21 => {
            cursor.signed()?;
            cursor.signed()?;
            Attribute::Other("sub_axis_info", vec![])
        }
        22 => {
            id(cursor)?;
            if cursor.number()? != 0 {
                id(cursor)?;
            }
            Attribute::Other("axis_ref", vec![])
        }
        23 => {
            id(cursor)?;
            id(cursor)?;
            Attribute::Other("replica_group_mesh_axes", vec![])
        }
        24 => {
            id(cursor)?;
            cursor.signed()?;
            Attribute::Other("mesh_axis", vec![])
        }
        25 => {
            id(cursor)?;
            file.optional_attribute_id(cursor)?;
            Attribute::Other("mesh", vec![])
        }
        code => return Err(newer(file, format!("kind {code} of attribute")).at(cursor.at())),
    })
}

/// The enumeration of `custom_call`'s ways of calling, which StableHLO writes as integers.
pub(crate) const API_VERSION: &str = "api_version";

/// The error for what a newer version has.
pub(crate) fn newer(file: &File, what: String) -> Fault {
    Fault::NewerArtifact {
        what,
        producer: file.producer.replace("_v", " "),
    }
}

fn case<'b>(
    cursor: &mut Cursor,
    kind: &'static str,
    cases: &[&'static str],
) -> Result<Attribute<'b>, Error> {
    let number = cursor.number()?;
    let case = usize::try_from(number).ok();
    let case = case.and_then(|number| cases.get(number));
    let case = case.filter(|case| !case.is_empty());
    match case {
        Some(case) => Ok(Attribute::Case { kind, case }),
        None => Err(cursor.damaged(format!("{kind} has no case {number}"))),
    }
}

/// Decodes a type.
pub(crate) fn r#type<'b>(file: &File<'b>, cursor: &mut Cursor<'b>) -> Result<Type<'b>, Error> {
    let id = |cursor: &mut Cursor<'b>| file.type_id(cursor);
    let shape = |cursor: &mut Cursor<'b>| cursor.list(Cursor::signed);
    Ok(match cursor.number()? {
        0 => Type::Integer(1, Sign::Signless),
        1 => Type::Complex(id(cursor)?),
        2 => Type::Float("bf16", 16),
        3 => Type::Float("f16", 16),
        4 => Type::Float("f32", 32),
        5 => Type::Float("f64", 64),
        6 => Type::Float("f8E4M3FN", 8),
        7 => Type::Float("f8E5M2", 8),
        8 => Type::Function(cursor.list(id)?, cursor.list(id)?),
        9 => Type::Index,
        10 => Type::Integer(4, Sign::Signless),
        11 => Type::Integer(8, Sign::Signless),
        12 => Type::Integer(16, Sign::Signless),
        13 => Type::Integer(32, Sign::Signless),
        14 => Type::Integer(64, Sign::Signless),
        15 => Type::Integer(4, Sign::Unsigned),
        16 => Type::Integer(8, Sign::Unsigned),
        17 => Type::Integer(16, Sign::Unsigned),
        18 => Type::Integer(32, Sign::Unsigned),
        19 => Type::Integer(64, Sign::Unsigned),
        20 => Type::Tensor {
            encoding: None,
            shape: shape(cursor)?,
            element: id(cursor)?,
        },
        21 => Type::Tensor {
            encoding: Some(file.attribute_id(cursor)?),
            shape: shape(cursor)?,
            element: id(cursor)?,
        },
        22 => Type::Other("token", vec![]),
        23 => Type::Tuple(cursor.list(id)?),
        24 | 30 => {
            // Nothing computes with quantized numbers: their scales are not read.
            cursor.bytes(cursor.left() as u64)?;
            Type::Other("quantized", vec![])
        }
        25 => Type::UnrankedTensor(id(cursor)?),
        26 => Type::Other("witness", vec![]),
        27 => Type::Float("f8E4M3FNUZ", 8),
        28 => Type::Float("f8E5M2FNUZ", 8),
        29 => Type::Float("f8E4M3B11FNUZ", 8),
        31 => Type::Integer(2, Sign::Signless),
        32 => Type::Integer(2, Sign::Unsigned),
        33 => Type::None,
        34 => Type::Float("tf32", 19),
        35 => Type::Float("f8E4M3", 8),
        36 => Type::Float("f8E3M4", 8),
        37 => Type::Float("f4E2M1FN", 4),
        38 => Type::Float("f6E2M3FN", 6),
        39 => Type::Float("f6E3M2FN", 6),
        40 => Type::Float("f8E8M0FNU", 8),
        41 => {
            shape(cursor)?;
            id(cursor)?;
            Type::Other("buffer", vec![])
        }
        42 => {
            cursor.list(id)?;
            Type::Other("future", vec![])
        }
        code => return Err(newer(file, format!("kind {code} of type")).at(cursor.at())),
    })
}

/// The attributes of ops that are kept as properties, in the order of the encoding, which is that
/// of the alphabet.
pub(crate) fn property_names(op: &str) -> Option<&'static [&'static str]> {
    let found = PROPERTIES.binary_search_by_key(&op, |(name, _)| name);
    found.ok().map(|index| PROPERTIES[index].1)
}

/// The names of properties of all ops of versions up to 1.20, by the name of the op.
const PROPERTIES: [(&str, &[&str]); 145] = [
    ("abs_v1", &[]),
    ("add_v1", &[]),
    ("after_all_v1", &[]),
    (
        "all_gather_v1",
        &[
            "all_gather_dim",
            "channel_id",
            "replica_groups",
            "use_global_device_ids",
        ],
    ),
    (
        "all_gather_v2",
        &[
            "all_gather_dim",
            "channel_id",
            "replica_groups",
            "use_global_device_ids",
        ],
    ),
    (
        "all_reduce_v1",
        &["channel_id", "replica_groups", "use_global_device_ids"],
    ),
    (
        "all_reduce_v2",
        &["channel_id", "replica_groups", "use_global_device_ids"],
    ),
    (
        "all_to_all_v1",
        &[
            "channel_id",
            "concat_dimension",
            "replica_groups",
            "split_count",
            "split_dimension",
        ],
    ),
    (
        "all_to_all_v2",
        &[
            "channel_id",
            "concat_dimension",
            "replica_groups",
            "split_count",
            "split_dimension",
        ],
    ),
    ("and_v1", &[]),
    ("async_done_v1", &[]),
    ("async_start_v1", &[]),
    ("atan2_v1", &[]),
    ("batch_norm_grad_v1", &["epsilon", "feature_index"]),
    ("batch_norm_inference_v1", &["epsilon", "feature_index"]),
    ("batch_norm_training_v1", &["epsilon", "feature_index"]),
    ("bitcast_convert_v1", &[]),
    ("broadcast_in_dim_v1", &["broadcast_dimensions"]),
    ("broadcast_v1", &["broadcast_sizes"]),
    ("call_v1", &["callee"]),
    ("case_v1", &[]),
    ("cbrt_v1", &[]),
    ("cbrt_v2", &["result_accuracy"]),
    ("ceil_v1", &[]),
    ("cholesky_v1", &["lower"]),
    ("clamp_v1", &[]),
    ("collective_broadcast_v1", &["channel_id", "replica_groups"]),
    (
        "collective_broadcast_v2",
        &["channel_id", "has_dynamic_root", "replica_groups"],
    ),
    (
        "collective_permute_v1",
        &["channel_id", "source_target_pairs"],
    ),
    (
        "collective_reduce_v1",
        &[
            "channel_id",
            "has_dynamic_root",
            "replica_groups",
            "use_global_device_ids",
        ],
    ),
    ("compare_v1", &["compare_type", "comparison_direction"]),
    ("complex_v1", &[]),
    (
        "composite_v1",
        &["composite_attributes", "decomposition", "name", "version"],
    ),
    (
        "composite_v2",
        &["composite_attributes", "decomposition", "name", "version"],
    ),
    ("concatenate_v1", &["dimension"]),
    ("constant_v1", &["value"]),
    ("convert_v1", &[]),
    (
        "convolution_v1",
        &[
            "batch_group_count",
            "feature_group_count",
            "input_batch_dimension",
            "input_feature_dimension",
            "input_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
            "kernel_spatial_dimensions",
            "lhs_dilation",
            "output_batch_dimension",
            "output_feature_dimension",
            "output_spatial_dimensions",
            "padding",
            "precision_config",
            "rhs_dilation",
            "window_reversal",
            "window_strides",
        ],
    ),
    ("cosine_v1", &[]),
    ("cosine_v2", &["result_accuracy"]),
    ("count_leading_zeros_v1", &[]),
    ("create_token_v1", &[]),
    ("cross-replica-sum_v1", &["replica_groups"]),
    (
        "custom_call_v1",
        &[
            "api_version",
            "backend_config",
            "call_target_name",
            "called_computations",
            "has_side_effect",
            "operand_layouts",
            "output_operand_aliases",
            "result_layouts",
        ],
    ),
    (
        "custom_call_v2",
        &[
            "api_version",
            "backend_config",
            "call_target_name",
            "called_computations",
            "has_side_effect",
            "operand_layouts",
            "output_operand_aliases",
            "result_layouts",
            "result_tilings",
        ],
    ),
    ("divide_v1", &[]),
    (
        "dot_general_v1",
        &[
            "lhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "precision_config",
            "rhs_batching_dimensions",
            "rhs_contracting_dimensions",
        ],
    ),
    (
        "dot_general_v2",
        &[
            "accumulation_type",
            "allow_imprecise_accumulation",
            "lhs_batching_dimensions",
            "lhs_component_count",
            "lhs_contracting_dimensions",
            "lhs_precision_type",
            "num_primitive_operations",
            "precision_config",
            "rhs_batching_dimensions",
            "rhs_component_count",
            "rhs_contracting_dimensions",
            "rhs_precision_type",
        ],
    ),
    ("dot_v1", &["precision_config"]),
    (
        "dynamic_broadcast_in_dim_v1",
        &[
            "broadcast_dimensions",
            "known_expanding_dimensions",
            "known_nonexpanding_dimensions",
        ],
    ),
    (
        "dynamic_conv_v1",
        &[
            "batch_group_count",
            "feature_group_count",
            "input_batch_dimension",
            "input_feature_dimension",
            "input_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
            "kernel_spatial_dimensions",
            "lhs_dilation",
            "output_batch_dimension",
            "output_feature_dimension",
            "output_spatial_dimensions",
            "padding",
            "precision_config",
            "rhs_dilation",
            "window_reversal",
            "window_strides",
        ],
    ),
    (
        "dynamic_conv_v2",
        &[
            "batch_group_count",
            "feature_group_count",
            "input_batch_dimension",
            "input_feature_dimension",
            "input_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
            "kernel_spatial_dimensions",
            "lhs_dilation",
            "output_batch_dimension",
            "output_feature_dimension",
            "output_spatial_dimensions",
            "precision_config",
            "rhs_dilation",
            "window_reversal",
            "window_strides",
        ],
    ),
    (
        "dynamic_gather_v1",
        &[
            "collapsed_slice_dims",
            "index_vector_dim",
            "indices_are_sorted",
            "offset_dims",
            "start_index_map",
        ],
    ),
    (
        "dynamic_gather_v2",
        &[
            "collapsed_slice_dims",
            "index_vector_dim",
            "indices_are_sorted",
            "offset_dims",
            "operand_batching_dims",
            "start_index_map",
            "start_indices_batching_dims",
        ],
    ),
    ("dynamic_iota_v1", &["iota_dimension"]),
    ("dynamic_pad_v1", &[]),
    ("dynamic_reshape_v1", &[]),
    ("dynamic_slice_v1", &["slice_sizes"]),
    ("dynamic_update_slice_v1", &[]),
    ("einsum_v1", &["einsum_config"]),
    ("exponential_minus_one_v1", &[]),
    ("exponential_minus_one_v2", &["result_accuracy"]),
    ("exponential_v1", &[]),
    ("exponential_v2", &["result_accuracy"]),
    ("fft_v1", &["fft_length", "fft_type"]),
    ("floor_v1", &[]),
    (
        "func_v1",
        &[
            "arg_attrs",
            "function_type",
            "res_attrs",
            "sym_name",
            "sym_visibility",
        ],
    ),
    (
        "gather_v1",
        &[
            "collapsed_slice_dims",
            "index_vector_dim",
            "indices_are_sorted",
            "offset_dims",
            "slice_sizes",
            "start_index_map",
        ],
    ),
    (
        "gather_v2",
        &[
            "collapsed_slice_dims",
            "index_vector_dim",
            "indices_are_sorted",
            "offset_dims",
            "operand_batching_dims",
            "slice_sizes",
            "start_index_map",
            "start_indices_batching_dims",
        ],
    ),
    ("get_dimension_size_v1", &["dimension"]),
    ("get_tuple_element_v1", &["index"]),
    ("if_v1", &[]),
    ("imag_v1", &[]),
    ("infeed_v1", &["infeed_config", "layout"]),
    ("iota_v1", &["iota_dimension"]),
    ("is_finite_v1", &[]),
    ("log_plus_one_v1", &[]),
    ("log_plus_one_v2", &["result_accuracy"]),
    ("log_v1", &[]),
    ("log_v2", &["result_accuracy"]),
    ("logistic_v1", &[]),
    ("logistic_v2", &["result_accuracy"]),
    ("map_v1", &["dimensions"]),
    ("maximum_v1", &[]),
    ("minimum_v1", &[]),
    ("multiply_v1", &[]),
    ("negate_v1", &[]),
    ("not_v1", &[]),
    ("optimization_barrier_v1", &[]),
    ("or_v1", &[]),
    ("outfeed_v1", &["outfeed_config"]),
    (
        "pad_v1",
        &["edge_padding_high", "edge_padding_low", "interior_padding"],
    ),
    ("partition_id_v1", &[]),
    ("popcnt_v1", &[]),
    ("power_v1", &[]),
    ("real_dynamic_slice_v1", &[]),
    ("real_v1", &[]),
    (
        "recv_v1",
        &["channel_id", "channel_type", "is_host_transfer"],
    ),
    (
        "recv_v2",
        &[
            "channel_id",
            "channel_type",
            "is_host_transfer",
            "source_target_pairs",
        ],
    ),
    ("reduce_precision_v1", &["exponent_bits", "mantissa_bits"]),
    (
        "reduce_scatter_v1",
        &[
            "channel_id",
            "replica_groups",
            "scatter_dimension",
            "use_global_device_ids",
        ],
    ),
    ("reduce_v1", &["dimensions"]),
    (
        "reduce_window_v1",
        &[
            "base_dilations",
            "padding",
            "window_dilations",
            "window_dimensions",
            "window_strides",
        ],
    ),
    ("remainder_v1", &[]),
    ("replica_id_v1", &[]),
    ("reshape_v1", &[]),
    ("return_v1", &[]),
    ("reverse_v1", &["dimensions"]),
    ("rng_bit_generator_v1", &["rng_algorithm"]),
    ("rng_v1", &["rng_distribution"]),
    ("round_nearest_afz_v1", &[]),
    ("round_nearest_even_v1", &[]),
    ("rsqrt_v1", &[]),
    ("rsqrt_v2", &["result_accuracy"]),
    (
        "scatter_v1",
        &[
            "index_vector_dim",
            "indices_are_sorted",
            "inserted_window_dims",
            "scatter_dims_to_operand_dims",
            "unique_indices",
            "update_window_dims",
        ],
    ),
    (
        "scatter_v2",
        &[
            "index_vector_dim",
            "indices_are_sorted",
            "input_batching_dims",
            "inserted_window_dims",
            "scatter_dims_to_operand_dims",
            "scatter_indices_batching_dims",
            "unique_indices",
            "update_window_dims",
        ],
    ),
    (
        "select_and_scatter_v1",
        &["padding", "window_dimensions", "window_strides"],
    ),
    ("select_v1", &[]),
    (
        "send_v1",
        &["channel_id", "channel_type", "is_host_transfer"],
    ),
    (
        "send_v2",
        &[
            "channel_id",
            "channel_type",
            "is_host_transfer",
            "source_target_pairs",
        ],
    ),
    ("set_dimension_size_v1", &["dimension"]),
    ("shift_left_v1", &[]),
    ("shift_right_arithmetic_v1", &[]),
    ("shift_right_logical_v1", &[]),
    ("sign_v1", &[]),
    ("sine_v1", &[]),
    ("sine_v2", &["result_accuracy"]),
    ("slice_v1", &["limit_indices", "start_indices", "strides"]),
    ("sort_v1", &["dimension", "is_stable"]),
    ("sqrt_v1", &[]),
    ("sqrt_v2", &["result_accuracy"]),
    ("subtract_v1", &[]),
    ("tan_v1", &[]),
    ("tan_v2", &["result_accuracy"]),
    ("tanh_v1", &[]),
    ("tanh_v2", &["result_accuracy"]),
    ("torch_index_select_v1", &["batch_dims", "dim"]),
    ("transpose_v1", &["permutation"]),
    (
        "triangular_solve_v1",
        &["left_side", "lower", "transpose_a", "unit_diagonal"],
    ),
    ("tuple_v1", &[]),
    ("unary_einsum_v1", &["einsum_config"]),
    ("uniform_dequantize_v1", &[]),
    ("uniform_quantize_v1", &[]),
    ("while_v1", &[]),
    ("xor_v1", &[]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(PROPERTIES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(PROPERTIES.iter().all(|(_, names)| names.is_sorted()));
        assert_eq!(property_names("iota_v1"), Some(&["iota_dimension"][..]));
        assert_eq!(property_names("iota_v9"), None);
    }
}
