// What the kernel's language has and C++ has not, so that its sources can be compiled for the machine itself.
#pragma once
#include <immintrin.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

using u8 = uint8_t;
using i16 = int16_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;
using f32 = float;
using f64 = double;
// Addresses are 32 bits wide, as in WebAssembly, and count from the start of the memory.
using usize = uint64_t;
using v128_t = __m128i;

extern u8* MEMORY;

template <class T> static inline T load(usize p, usize offset = 0) {
  T value;
  std::memcpy(&value, MEMORY + p + offset, sizeof(T));
  return value;
}
template <class T> static inline void store(usize p, T value, usize offset = 0) {
  std::memcpy(MEMORY + p + offset, &value, sizeof(T));
}
template <class T, class U> static inline T reinterpret(U value) {
  T out;
  std::memcpy(&out, &value, sizeof(T));
  return out;
}
template <class T = void, class A, class B> static inline auto min(A a, B b) { return a < b ? a : b; }
template <class T = void, class A, class B> static inline auto max(A a, B b) { return a > b ? a : b; }
template <class T = f32> static inline T floor(f32 x) { return std::floor(x); }
using std::abs;
template <class T> static inline T select(T a, T b, bool first) { return first ? a : b; }
static inline i32 ctz(i32 x) { return __builtin_ctz(x); }

static inline __m128 asFloat(v128_t a) { return _mm_castsi128_ps(a); }
static inline v128_t asInt(__m128 a) { return _mm_castps_si128(a); }

namespace memory {
static inline void fill(usize p, u8 value, usize count) { std::memset(MEMORY + p, value, count); }
}

namespace v128 {
static inline v128_t load(usize p, usize o = 0) { return _mm_loadu_si128((const v128_t*)(MEMORY + p + o)); }
static inline void store(usize p, v128_t v, usize o = 0) { _mm_storeu_si128((v128_t*)(MEMORY + p + o), v); }
static inline v128_t load32_splat(usize p, usize o = 0) { return _mm_set1_epi32(::load<i32>(p, o)); }
static inline v128_t load32_zero(usize p, usize o = 0) { return _mm_cvtsi32_si128(::load<i32>(p, o)); }
static inline v128_t load64_zero(usize p, usize o = 0) { return _mm_loadl_epi64((const v128_t*)(MEMORY + p + o)); }
static inline v128_t load8x8_u(usize p, usize o = 0) { return _mm_cvtepu8_epi16(load64_zero(p, o)); }
static inline v128_t load64_lane(usize p, v128_t v, int) { return _mm_unpacklo_epi64(v, load64_zero(p)); }
static inline v128_t load32_lane(usize p, v128_t v, int lane) {
  return lane == 1 ? _mm_insert_epi32(v, ::load<i32>(p), 1) : _mm_insert_epi32(v, ::load<i32>(p), 2);
}
static inline v128_t v_and(v128_t a, v128_t b) { return _mm_and_si128(a, b); }
static inline v128_t v_or(v128_t a, v128_t b) { return _mm_or_si128(a, b); }
static inline v128_t v_not(v128_t a) { return _mm_xor_si128(a, _mm_set1_epi32(-1)); }
static inline v128_t andnot(v128_t a, v128_t b) { return _mm_andnot_si128(b, a); }
static inline v128_t bitselect(v128_t a, v128_t b, v128_t m) {
  return _mm_or_si128(_mm_and_si128(m, a), _mm_andnot_si128(m, b));
}
static inline v128_t swap64(v128_t a) { return _mm_shuffle_epi32(a, 0x4e); }
}

namespace i8x16 {
static inline v128_t make(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n,
                          int o, int p) {
  return _mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
static inline v128_t swizzle(v128_t a, v128_t s) { return _mm_shuffle_epi8(a, s); }
template <class... I> static inline v128_t shuffle(v128_t a, v128_t, I... lanes) {
  return _mm_shuffle_epi8(a, _mm_setr_epi8(lanes...));
}
static inline v128_t narrow_i16x8_u(v128_t a, v128_t b) { return _mm_packus_epi16(a, b); }
}

namespace i16x8 {
static inline v128_t narrow_i32x4_u(v128_t a, v128_t b) { return _mm_packus_epi32(a, b); }
static inline v128_t splat(int a) { return _mm_set1_epi16(a); }
static inline v128_t add(v128_t a, v128_t b) { return _mm_add_epi16(a, b); }
static inline v128_t shr_u(v128_t a, int n) { return _mm_srli_epi16(a, n); }
static inline v128_t extend_low_i8x16_u(v128_t a) { return _mm_cvtepu8_epi16(a); }
}

namespace i32x4 {
static inline v128_t make(i32 a, i32 b, i32 c, i32 d) { return _mm_setr_epi32(a, b, c, d); }
static inline v128_t splat(i32 a) { return _mm_set1_epi32(a); }
static inline v128_t add(v128_t a, v128_t b) { return _mm_add_epi32(a, b); }
static inline v128_t sub(v128_t a, v128_t b) { return _mm_sub_epi32(a, b); }
static inline v128_t mul(v128_t a, v128_t b) { return _mm_mullo_epi32(a, b); }
static inline v128_t neg(v128_t a) { return _mm_sub_epi32(_mm_setzero_si128(), a); }
static inline v128_t min_s(v128_t a, v128_t b) { return _mm_min_epi32(a, b); }
static inline v128_t max_s(v128_t a, v128_t b) { return _mm_max_epi32(a, b); }
static inline v128_t shl(v128_t a, int n) { return _mm_slli_epi32(a, n); }
static inline v128_t shr_s(v128_t a, int n) { return _mm_srai_epi32(a, n); }
static inline v128_t shr_u(v128_t a, int n) { return _mm_srli_epi32(a, n); }
static inline v128_t eq(v128_t a, v128_t b) { return _mm_cmpeq_epi32(a, b); }
static inline v128_t gt_s(v128_t a, v128_t b) { return _mm_cmpgt_epi32(a, b); }
static inline v128_t lt_s(v128_t a, v128_t b) { return _mm_cmpgt_epi32(b, a); }
static inline v128_t lt_u(v128_t a, v128_t b) { return lt_s(sub(a, splat(0x80000000)), sub(b, splat(0x80000000))); }
static inline v128_t le_s(v128_t a, v128_t b) { return v128::v_not(gt_s(a, b)); }
static inline v128_t ge_s(v128_t a, v128_t b) { return v128::v_not(lt_s(a, b)); }
static inline i32 bitmask(v128_t a) { return _mm_movemask_ps(asFloat(a)); }
static inline i32 extract_lane(v128_t a, int lane) { return ((const i32*)&a)[lane]; }
static inline v128_t extend_low_i16x8_u(v128_t a) { return _mm_cvtepu16_epi32(a); }
static inline v128_t extend_high_i16x8_u(v128_t a) { return _mm_unpackhi_epi16(a, _mm_setzero_si128()); }
// The kernel's own numbers are always in range.
static inline v128_t trunc_sat_f32x4_s(v128_t a) { return _mm_cvttps_epi32(asFloat(a)); }
typedef i32 lanes __attribute__((vector_size(16)));
static inline v128_t shuffle(v128_t a, v128_t b, int i, int j, int k, int l) {
  return (v128_t)__builtin_shuffle((lanes)a, (lanes)b, lanes{i, j, k, l});
}
}

namespace f32x4 {
static inline v128_t make(f32 a, f32 b, f32 c, f32 d) { return asInt(_mm_setr_ps(a, b, c, d)); }
static inline v128_t splat(f32 a) { return asInt(_mm_set1_ps(a)); }
static inline v128_t add(v128_t a, v128_t b) { return asInt(_mm_add_ps(asFloat(a), asFloat(b))); }
static inline v128_t sub(v128_t a, v128_t b) { return asInt(_mm_sub_ps(asFloat(a), asFloat(b))); }
static inline v128_t mul(v128_t a, v128_t b) { return asInt(_mm_mul_ps(asFloat(a), asFloat(b))); }
static inline v128_t div(v128_t a, v128_t b) { return asInt(_mm_div_ps(asFloat(a), asFloat(b))); }
static inline v128_t sqrt(v128_t a) { return asInt(_mm_sqrt_ps(asFloat(a))); }
static inline v128_t neg(v128_t a) { return _mm_xor_si128(a, _mm_set1_epi32(0x80000000)); }
static inline v128_t abs(v128_t a) { return _mm_and_si128(a, _mm_set1_epi32(0x7fffffff)); }
static inline v128_t floor(v128_t a) { return asInt(_mm_floor_ps(asFloat(a))); }
static inline v128_t pmin(v128_t a, v128_t b) { return asInt(_mm_min_ps(asFloat(b), asFloat(a))); }
static inline v128_t pmax(v128_t a, v128_t b) { return asInt(_mm_max_ps(asFloat(b), asFloat(a))); }
static inline v128_t max(v128_t a, v128_t b) { return pmax(a, b); }
static inline v128_t eq(v128_t a, v128_t b) { return asInt(_mm_cmpeq_ps(asFloat(a), asFloat(b))); }
static inline v128_t gt(v128_t a, v128_t b) { return asInt(_mm_cmpgt_ps(asFloat(a), asFloat(b))); }
static inline v128_t ge(v128_t a, v128_t b) { return asInt(_mm_cmpge_ps(asFloat(a), asFloat(b))); }
static inline v128_t lt(v128_t a, v128_t b) { return asInt(_mm_cmplt_ps(asFloat(a), asFloat(b))); }
static inline v128_t le(v128_t a, v128_t b) { return asInt(_mm_cmple_ps(asFloat(a), asFloat(b))); }
static inline f32 extract_lane(v128_t a, int lane) { return ((const f32*)&a)[lane]; }
static inline v128_t replace_lane(v128_t a, int, f32 value) { return asInt(_mm_move_ss(asFloat(a), _mm_set_ss(value))); }
static inline v128_t convert_i32x4_s(v128_t a) { return asInt(_mm_cvtepi32_ps(a)); }
}
