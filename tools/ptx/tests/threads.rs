//! How threads run: exchanges, barriers, atomics, blocks that wait for each other, and faults.

mod common;

use comb_ptx::Status;
use common::{Gpu, HEADER, isolated, words_kernel};

#[test]
fn lanes_exchange_after_they_diverged() {
    isolated("lanes_exchange_after_they_diverged", &[], || {
        let gpu = Gpu::new();
        let body = "
            and.b32 %r1, %t, 1;
            setp.eq.u32 %p1, %r1, 0;
            mov.u32 %r2, %t;
            @%p1 bra EVEN;
            mul.lo.u32 %r2, %r2, 100;
            bra JOIN;
        EVEN:
            add.u32 %r2, %r2, 1000;
        JOIN:
            xor.b32 %r3, %t, 1;
            shfl.sync.idx.b32 %r4, %r2, %r3, 31, -1;
            shfl.sync.down.b32 %r5|%p2, %r4, 1, 31, -1;
            vote.sync.ballot.b32 %r6, %p1, -1;
            redux.sync.add.u32 %r7, %t, -1;
            @!%p2 mov.u32 %r5, %r6;
            add.u32 %r5, %r5, %r7;
            st.global.u32 [%out], %r5;
            ret;";
        let found = gpu.run_words(32, "", body).unwrap();
        let given = |lane: u32| {
            if lane & 1 == 0 {
                lane + 1000
            } else {
                lane * 100
            }
        };
        for lane in 0..31 {
            assert_eq!(found[lane as usize], given((lane + 1) ^ 1) + 496);
        }
        assert_eq!(found[31], 0x5555_5555 + 496);
    });
}

#[test]
fn matching_lanes_and_segments() {
    isolated("matching_lanes_and_segments", &[], || {
        let gpu = Gpu::new();
        let body = "
            shr.u32 %r1, %t, 2;
            match.any.sync.b32 %r2, %r1, -1;
            shfl.sync.up.b32 %r3|%p1, %t, 1, 0x1c00, -1;
            @%p1 add.u32 %r2, %r2, %r3;
            activemask.b32 %r4;
            st.global.u32 [%out], %r2;
            ret;";
        let found = gpu.run_words(32, "", body).unwrap();
        for lane in 0..32u32 {
            let group = 0xf << (lane / 4 * 4);
            // Segments of four lanes: the first one of each has no lane before it.
            let before = if lane % 4 == 0 { 0 } else { lane - 1 };
            assert_eq!(found[lane as usize], group + before);
        }
    });
}

const REDUCTION: &str = "
    mov.u64 %d1, sums;
    mul.wide.u32 %d2, %t, 4;
    add.u64 %d1, %d1, %d2;
    st.shared.u32 [%d1], %t;
    mov.u32 %r1, 64;
LOOP:
    bar.sync 0;
    setp.ge.u32 %p1, %t, %r1;
    @%p1 bra SKIP;
    mul.wide.u32 %d3, %r1, 4;
    add.u64 %d4, %d1, %d3;
    ld.shared.u32 %r2, [%d4];
    ld.shared.u32 %r3, [%d1];
    add.u32 %r3, %r3, %r2;
    st.shared.u32 [%d1], %r3;
SKIP:
    shr.u32 %r1, %r1, 1;
    setp.ne.u32 %p2, %r1, 0;
    @%p2 bra LOOP;
    bar.sync 0;
    ld.shared.u32 %r4, [sums];
    st.global.u32 [%out], %r4;
    ret;";

#[test]
fn a_block_reduces_through_shared_memory() {
    for order in ["forward", "reverse"] {
        let name = "a_block_reduces_through_shared_memory";
        isolated(name, &[("COMB_PTX_ORDER", order)], || {
            let gpu = Gpu::new();
            let found = gpu.run_words(128, ".shared .align 4 .b8 sums[512];", REDUCTION);
            assert_eq!(found.unwrap(), vec![127 * 64; 128]);
        });
    }
}

#[test]
fn barriers_with_numbers_and_predicates() {
    isolated("barriers_with_numbers_and_predicates", &[], || {
        let gpu = Gpu::new();
        // The first warp only announces that it is there; the second one waits for it.
        let body = "
            setp.lt.u32 %p1, %t, 40;
            barrier.sync.aligned 0;
            bar.red.popc.u32 %r1, 1, %p1;
            setp.ge.u32 %p2, %t, 32;
            @%p2 bra SECOND;
            bar.arrive 2, 64;
            bra END;
        SECOND:
            bar.sync 2, 64;
        END:
            bar.warp.sync -1;
            st.global.u32 [%out], %r1;
            ret;";
        assert_eq!(gpu.run_words(64, "", body).unwrap(), vec![40; 64]);
    });
}

#[test]
fn atomics() {
    isolated("atomics", &[], || {
        let gpu = Gpu::new();
        let declarations = ".global .align 8 .b8 cells[64] = {1};
            .shared .align 8 .b8 own[16];";
        let body = "
            setp.ne.u32 %p1, %t, 0;
            @%p1 bra START;
            st.shared.u64 [own], 0;
            st.shared.f32 [own+8], 0f00000000;
        START:
            bar.sync 0;
            atom.shared.add.u64 %d1, [own], 3;
            atom.shared.add.f32 %f1, [own+8], 0f3F000000;
            mov.u64 %d2, cells;
            atom.global.max.s32 %r1, [%d2+4], %t;
            red.global.or.b32 [%d2+8], %t;
            atom.global.inc.u32 %r2, [%d2+12], 4;
            atom.relaxed.gpu.global.cas.b32 %r3, [%d2+16], 0, 77;
            atom.global.exch.b64 %d3, [%d2+24], 5;
            atom.global.min.s64 %d3, [cells+32], -9;
            bar.sync 0;
            mul.wide.u32 %d4, %t, 4;
            setp.gt.u32 %p2, %t, 8;
            @%p2 ld.shared.u32 %r4, [own];
            @%p2 cvt.rzi.u32.f32 %r5, %f1;
            add.u64 %d5, %d2, %d4;
            @!%p2 ld.global.u32 %r4, [%d5];
            st.global.u32 [%out], %r4;
            ret;";
        let found = gpu.run_words(64, declarations, body).unwrap();
        assert_eq!(found[..9], [1, 63, 63, 64 % 5, 77, 0, 5, 0, -9i32 as u32]);
        assert_eq!(found[9..], vec![64 * 3; 55]);
    });
}

/// Each block takes a number, adds its own to the sum that the block before leaves, and leaves that.
const LOOK_BACK: &str = "
    setp.ne.u32 %p1, %t, 0;
    @%p1 bra DONE;
    atom.global.add.u32 %r1, [ticket], 1;
    mov.u64 %d1, flags;
    mul.wide.u32 %d2, %r1, 8;
    add.u64 %d1, %d1, %d2;
    mov.u32 %r2, 0;
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra LEAVE;
WAIT:
    ld.acquire.gpu.global.u32 %r3, [%d1+-8];
    setp.eq.u32 %p3, %r3, 0;
    @%p3 bra WAIT;
    ld.global.u32 %r2, [%d1+-4];
LEAVE:
    add.u32 %r2, %r2, %r1;
    st.global.u32 [%d1+4], %r2;
    fence.acq_rel.gpu;
    st.release.gpu.global.u32 [%d1], 1;
    mul.wide.u32 %d3, %r1, 4;
    add.u64 %out, %out, %d3;
    st.global.u32 [%out], %r2;
DONE:
    bar.sync 0;
    ret;";

#[test]
fn blocks_look_back() {
    for order in ["forward", "reverse"] {
        isolated("blocks_look_back", &[("COMB_PTX_ORDER", order)], || {
            let gpu = Gpu::new();
            let declarations = ".global .align 4 .u32 ticket; .global .align 8 .b8 flags[800];";
            let kernel = gpu.kernel(&words_kernel(declarations, LOOK_BACK), "words");
            let out = gpu.upload(&[0u32; 100]);
            gpu.launch(kernel, 100, 64, &[out]);
            let expected: Vec<u32> = (0..100).map(|i| i * (i + 1) / 2).collect();
            assert_eq!(gpu.download::<u32>(out, 100), expected);
        });
    }
}

/// The first block that runs waits for the last one, which takes its turn while others wait.
#[test]
fn resident_blocks_take_turns() {
    isolated("resident_blocks_take_turns", &[], || {
        let gpu = Gpu::new();
        let body = "
            mov.u32 %r1, %ctaid.x;
            setp.eq.u32 %p1, %r1, 3;
            @%p1 bra LAST;
        WAIT:
            ld.volatile.global.u32 %r2, [flag];
            setp.eq.u32 %p2, %r2, 0;
            @%p2 bra WAIT;
            bra END;
        LAST:
            st.volatile.global.u32 [flag], 1;
        END:
            st.global.u32 [%out], 1;
            ret;";
        let kernel = gpu.kernel(&words_kernel(".global .u32 flag;", body), "words");
        let out = gpu.upload(&[0u32; 32]);
        gpu.launch(kernel, 4, 32, &[out]);
        assert_eq!(gpu.download::<u32>(out, 32), vec![1; 32]);
    });
}

/// What happens to a kernel with this body; what it prints has the text.
fn fault(name: &str, block: u32, declarations: &str, body: &str, expected: Status, text: &str) {
    let errors = isolated(name, &[("COMB_PTX_PATIENCE", "1000000")], || {
        let gpu = Gpu::new();
        assert_eq!(gpu.run_words(block, declarations, body), Err(expected));
    });
    if let Some(errors) = errors {
        assert!(errors.contains(text), "{errors}");
    }
}

#[test]
fn endless_loops_time_out() {
    let text = "no block ended for";
    fault(
        "endless_loops_time_out",
        2,
        "",
        "A: bra A;",
        Status::LAUNCH_TIMEOUT,
        text,
    );
}

#[test]
fn accesses_out_of_bounds() {
    let text = "line 10 (st.global.u32), block [0, 0, 0], thread [1, 0, 0]: 4 bytes at";
    let body = "st.global.u32 [%out+4], 1;\nret;";
    fault(
        "accesses_out_of_bounds",
        2,
        "",
        body,
        Status::ILLEGAL_ADDRESS,
        text,
    );
}

#[test]
fn misaligned_accesses() {
    let text = "is not a multiple of 8";
    let body = "ld.global.v2.u32 {%r1, %r2}, [%out+4]; ret;";
    fault(
        "misaligned_accesses",
        4,
        "",
        body,
        Status::MISALIGNED_ADDRESS,
        text,
    );
}

#[test]
fn shared_memory_has_an_end() {
    let text = "lie outside of the shared memory of the block";
    let body = "st.shared.u32 [own+16], 1; ret;";
    let declarations = ".shared .align 4 .b8 own[16];";
    fault(
        "shared_memory_has_an_end",
        1,
        declarations,
        body,
        Status::ILLEGAL_ADDRESS,
        text,
    );
}

#[test]
fn divergent_barriers_are_a_deadlock() {
    let text = "64 threads wait for each other for ever";
    let body = "
        setp.lt.u32 %p1, %t, 32;
        @%p1 bra FIRST;
        bar.sync 1;
        ret;
    FIRST:
        bar.sync 0;
        ret;";
    let name = "divergent_barriers_are_a_deadlock";
    fault(name, 64, "", body, Status::LAUNCH_FAILED, text);
}

#[test]
fn a_warp_is_at_one_barrier() {
    let text = "threads of one warp wait at different barriers";
    let body = "
        setp.lt.u32 %p1, %t, 16;
        @%p1 bra FIRST;
        bar.sync 0;
        ret;
    FIRST:
        bar.sync 0;
        ret;";
    fault(
        "a_warp_is_at_one_barrier",
        32,
        "",
        body,
        Status::LAUNCH_FAILED,
        text,
    );
}

#[test]
fn lanes_of_a_mask_are_there() {
    let text = "lane 0 of the mask 0xffffffff has ended";
    let body = "
        setp.eq.u32 %p1, %t, 0;
        @%p1 ret;
        shfl.sync.idx.b32 %r1, %t, 5, 31, -1;
        ret;";
    fault(
        "lanes_of_a_mask_are_there",
        32,
        "",
        body,
        Status::LAUNCH_FAILED,
        text,
    );
}

#[test]
fn traps() {
    fault(
        "traps",
        1,
        "",
        "trap; ret;",
        Status::LAUNCH_FAILED,
        "a trap was reached",
    );
}

#[test]
fn memory_is_poisoned() {
    isolated("memory_is_poisoned", &[], || {
        let gpu = Gpu::new();
        let declarations = ".shared .align 4 .b8 own[16];";
        let body =
            "ld.shared.u32 %r1, [own+4]; add.u32 %r1, %r1, %r9; st.global.u32 [%out], %r1; ret;";
        let found = gpu.run_words(1, declarations, body).unwrap();
        assert_eq!(found, [0xa5a5_a5a5u32.wrapping_mul(2)]);
        let fresh = gpu.allocate(16);
        assert_eq!(gpu.download::<u8>(fresh, 16), [0xa5; 16]);
    });
}

#[test]
fn device_functions_and_local_memory() {
    isolated("device_functions_and_local_memory", &[], || {
        let gpu = Gpu::new();
        let text = format!(
            "{HEADER}
            .func (.param .b32 result) factorial(.param .b32 n) {{
                .local .align 8 .b8 depot[16];
                .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %SP; .reg .b64 %SPL;
                mov.b64 %SPL, depot;
                cvta.local.u64 %SP, %SPL;
                ld.param.b32 %r1, [n];
                st.u32 [%SP+4], %r1;
                setp.gt.u32 %p1, %r1, 1;
                @%p1 bra MORE;
                st.param.b32 [result], 1;
                ret;
            MORE:
                sub.u32 %r2, %r1, 1;
                {{
                .param .b32 param0;
                st.param.b32 [param0], %r2;
                .param .b32 retval0;
                call.uni (retval0), factorial, (param0);
                ld.param.b32 %r3, [retval0];
                }}
                ld.local.u32 %r1, [%SPL+4];
                mul.lo.u32 %r3, %r3, %r1;
                st.param.b32 [result], %r3;
                ret;
            }}
            .visible .entry f(.param .u64 out, .param .u32 n) {{
                .reg .b32 %r<5>; .reg .b64 %d<3>;
                ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n];
                {{
                .param .b32 param0;
                st.param.b32 [param0], %r1;
                .param .b32 retval0;
                call (retval0), factorial, (param0);
                ld.param.b32 %r2, [retval0];
                }}
                st.global.u32 [%d1], %r2;
                ret;
            }}"
        );
        let kernel = gpu.kernel(&text, "f");
        let out = gpu.allocate(4);
        gpu.launch(kernel, 1, 1, &[out, 10]);
        assert_eq!(gpu.download::<u32>(out, 1), [3_628_800]);
    });
}

#[test]
fn indexed_branches_and_dynamic_shared_memory() {
    isolated("indexed_branches_and_dynamic_shared_memory", &[], || {
        let gpu = Gpu::new();
        let declarations = ".extern .shared .align 16 .b8 dynamic[];
            .shared .align 4 .b8 fixed[20];
            .const .align 4 .u32 table[3] = {10, 20, 30};";
        let body = "
            brx.idx %t, LIST;
        LIST: .branchtargets A, B, C;
        A:  ld.const.u32 %r1, [table]; bra END;
        B:  ld.const.u32 %r1, [table+4]; bra END;
        C:  ld.const.u32 %r1, [table+8];
        END:
            mov.u64 %d1, dynamic;
            cvt.u32.u64 %r3, %d1;
            cvta.shared.u64 %d1, %d1;
            st.u32 [%d1+4], %r1;
            ld.shared.u32 %r2, [dynamic+4];
            add.u32 %r2, %r2, %r3;
            st.global.u32 [%out], %r2;
            ret;";
        let kernel = gpu.kernel(&words_kernel(declarations, body), "words");
        let out = gpu.allocate(12);
        common::ok(gpu.try_launch(kernel, 1, 3, 8, &[out]));
        assert_eq!(gpu.download::<u32>(out, 3), [32 + 10, 32 + 20, 32 + 30]);
    });
}
