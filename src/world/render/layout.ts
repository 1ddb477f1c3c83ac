/**
 * Where things stand in the renderer's memory. Read by TypeScript and, compiled into it, by the WebAssembly kernel:
 * only plain numbers may stand here. Offsets are in bytes unless a name says otherwise.
 *
 * Memory: [tables][scene], and behind them frames, which pictures are drawn into, and workspaces, what a thread needs for it.
 */

// The first 64 KiB: tables that every scene shares.
/** 1,024 single-precision numbers: sRGB 0…255 in quarter steps to linear 0…1. */
export const TABLE_LINEAR = 4096
/** 4,096 bytes: square root of linear light, 0…1 in 4,095 steps, to sRGB 0…255. */
export const TABLE_SRGB = 8192
export const SCENE_START = 65536

// The scene's header, in 32-bit words. Offsets in it count from the scene's start.
export const SCENE_MAGIC = 0x43534c53
/** Raised whenever the prepared form changes, so that old caches are rebuilt. */
export const SCENE_VERSION = 2
export const HEADER_BYTES = 256
export const H_MAGIC = 0
export const H_VERSION = 1
export const H_BYTES = 2
export const H_CLUSTERS = 3
/** Clusters from this number on are glass. */
export const H_SOLID_CLUSTERS = 4
export const H_TRIANGLES = 5
export const H_VERTICES = 6
export const H_MATERIALS = 7
export const H_FLAGS = 8
/** Clusters rounded up to four: the length of each of the six box arrays. */
export const H_BOX_STRIDE = 9
export const H_AT_BOXES = 10
export const H_AT_CLUSTER_VERTEX = 11
export const H_AT_CLUSTER_TRIANGLE = 12
export const H_AT_CLUSTER_COUNTS = 13
export const H_AT_X = 14
export const H_AT_Y = 15
export const H_AT_Z = 16
export const H_AT_INDEX_0 = 17
export const H_AT_INDEX_1 = 18
export const H_AT_INDEX_2 = 19
export const H_AT_TRIANGLE_MATERIAL = 20
export const H_AT_TRIANGLE_INSTANCE = 21
export const H_AT_COLORS = 22
export const H_AT_UVS = 23
export const H_AT_LIGHT = 24
export const H_AT_MATERIALS = 25
/** 0 where the numbers of the source's triangles were not kept. */
export const H_AT_SOURCE = 26
/** Six single-precision numbers: the least x, y, z, then the greatest. */
export const H_BOUNDS = 32

export const HAS_COLORS = 1
export const HAS_UVS = 2
export const HAS_LIGHT = 4

// A cluster.
export const CLUSTER_TRIANGLES = 128
export const CLUSTER_VERTICES = 128
/** A triangle's number is its cluster's, shifted by this, and its place in it. */
export const CLUSTER_SHIFT = 7

// A material: 16 words.
export const MATERIAL_BYTES = 64
/** sRGB 0…1, three numbers. */
export const M_COLOR = 0
export const M_OPACITY = 12
/** Linear 0…1, three numbers. */
export const M_LINEAR = 16
export const M_GLOW = 28
/** From the scene's start; 0 means no texture. */
export const M_TEXTURE = 32
export const M_TEXTURE_WIDTH = 36
export const M_TEXTURE_HEIGHT = 40
export const M_TEXTURE_LEVELS = 44
/** From the scene's start: what each level is. 0 means no texture. */
export const M_LEVELS = 48

// A level of a texture. There are as many as a picture may ask for; those after the last repeat it.
export const LEVELS = 32
export const LEVEL_BYTES = 16
export const LEVEL_SHIFT = 4
/** A texture is this table and then its texels. */
export const LEVEL_TABLE_BYTES = 512
/** Width and height as single-precision numbers. */
export const L_SIZE = 0
/** From the scene's start. */
export const L_TEXELS = 8
/** Width as a whole number. */
export const L_ACROSS = 12

// The view: 64 words, the first 40 single-precision numbers, then whole numbers.
export const VIEW_BYTES = 256
/** Rows of the world-to-camera rotation: right, down, forward. */
export const V_ROTATION = 0
export const V_POSITION = 9
export const V_FX = 12
export const V_FY = 13
export const V_CX = 14
export const V_CY = 15
export const V_INVERSE_FX = 16
export const V_INVERSE_FY = 17
export const V_NEAR = 18
/** Half-width and half-height of the guard band, at depth 1 (perspective) or anywhere (orthographic). */
export const V_GUARD_X = 19
export const V_GUARD_Y = 20
/** Orthographic: closeness is this minus depth. */
export const V_FAR = 21
/** Nothing above this height is drawn. */
export const V_CUT = 22
export const V_EXPOSURE = 23
/** sRGB 0…255, three numbers. */
export const V_BACKGROUND = 24
export const V_WIDTH = 40
export const V_HEIGHT = 41
/** Pixels from one row to the next in the inner buffers. */
export const V_STRIDE = 42
export const V_FLAGS = 43

export const VIEW_ORTHOGRAPHIC = 1
export const VIEW_HIDE_BACK_FACES = 2

/** Screen coordinates have 8 fractional bits. */
export const SUBPIXEL_BITS = 8
/** Triangles up to this many subpixels wide and high (64 pixels) have edges that fit 32 bits. */
export const SMALL_EXTENT = 16384
/** Screen coordinates stay within this many pixels of the principal point; what is beyond is clipped. */
export const GUARD_PIXELS = 8192
/** Panes of glass one behind the other that are told apart in a pixel. */
export const MAX_GLASS_LAYERS = 8
/** The tone curve leaves light up to here as it is and bends what is above toward 1. */
export const TONE_KNEE = 0.6

// Behind the view's own words: where the frame's buffers are (addresses) and what is wanted.
export const F_WANTED = 44
/** One number a pixel: closeness of the solid surface, and its triangle. */
export const F_CLOSENESS = 45
export const F_TRIANGLE = 46
export const F_GLASS_CLOSENESS = 47
export const F_GLASS_TRIANGLE = 48
/** Color of the view, four bytes per pixel. */
export const F_RGBA = 49
export const F_COLOR = 50
export const F_DEPTH = 51
export const F_IDS = 52
export const F_TRIANGLES = 53
/** Closeness that all pixels of each tile of 8 × 8 have at least, and, of glass, whether something was drawn there. */
export const F_TILES = 54
export const F_STALE = 55
/** Clusters in view, their sort keys, and the same clusters from near to far. */
export const F_LIST = 56
export const F_KEYS = 57
export const F_ORDER = 58
export const F_SCRATCH = 59
/** In each tile, the address of a pixel that was far when last looked for. */
export const F_FAR_PIXELS = 60

export const WANT_COLOR = 1
export const WANT_DEPTH = 2
export const WANT_IDS = 4
export const WANT_TRIANGLES = 8
export const WANT_HALVE = 16
/** Color has four bytes per pixel, none where nothing is. */
export const WANT_ALPHA = 32

export const TILE_SHIFT = 3

// A cluster in view: its number and what it needs, how near it is at most, and the pixels that it may cover.
export const ON_SCREEN_BYTES = 16
/** Some triangle may have to be clipped. */
export const NEEDS_CLIPPING = 0x40000000
/** It may reach behind the near plane: where it is on the screen is not known. */
export const REACHES_NEAR = 0x80000000
export const CLUSTER_NUMBER = 0x3fffffff
/** Closeness that nothing in it exceeds. */
export const O_NEAREST = 4
/** 16 bits each. */
export const O_LEFT = 8
export const O_TOP = 10
export const O_RIGHT = 12
export const O_BOTTOM = 14

// Scratch: a cluster's vertices on the screen, four triangles in the making, a clipped polygon, sort counters.
/** x and y in 1/256 pixel, side by side: 8 bytes a vertex. */
export const S_SNAPPED = 0
/** x, y, closeness, 0: 16 bytes a vertex. */
export const S_SCREEN = 1024
/** Camera x, y, z and height above the cut: 16 bytes a vertex. */
export const S_CAMERA = 3072
/** 1 byte a vertex: whether it has to be clipped. */
export const S_OUTSIDE = 5120
/** Numbers of four triangles, 16 bytes each. */
export const S_FOUR = 5248
/** Two polygons of up to 9 corners, 16 bytes a corner. */
export const S_POLYGON = 6272
export const S_POLYGON_2 = 6528
/** Three corners of a large triangle: x, y, closeness, and snapped x, y; 32 bytes each. */
export const S_CORNERS = 6784
/** Where four boxes are on the screen: `ON_SCREEN_BYTES` each. */
export const S_ON_SCREEN = 6912
export const S_COUNTERS = 8192
export const SORT_BUCKETS = 8192
/** Pixels of a row that are shaded together. */
export const SPAN = 64
/** Each pixel's surface: an address. */
export const S_SPAN_SURFACE = 40960
/** Weights of the three corners. */
export const S_SPAN_FIRST = 41216
export const S_SPAN_SECOND = 41472
export const S_SPAN_THIRD = 41728
/** Which level of a texture fits: bytes from the first. */
export const S_SPAN_LEVEL = 41984
/** Of the four texels around a place: where the upper and the lower left one are, and how far it is to the right ones. */
export const S_SPAN_UPPER = 42240
export const S_SPAN_LOWER = 42496
export const S_SPAN_STEP = 42752
/** Where between them the place is, 0…1. */
export const S_SPAN_PART_X = 43008
export const S_SPAN_PART_Y = 43264
/** Opacity and color, where there is glass. */
export const S_SPAN_OPACITY = 43520
export const S_SPAN_RGBA = 43776
/** u, v, white, 0: 16 bytes per pixel. */
export const S_SPAN_UV = 44032
/** Triangles of the surfaces, from the second number on. */
export const S_SPAN_TRIANGLE = 45056
/** r, g, b, a of the texture: 16 bytes per pixel. */
export const S_SPAN_TEXEL = 45376
/** What is the same over a triangle: 256 bytes each. */
export const S_SURFACES = 46400
export const SURFACE_BYTES = 256
export const SURFACE_SHIFT = 8
/** Pixels of an antialiased picture that are shaded together: each has four samples, so at most as many triangles. */
export const SMOOTH_SPAN = 16
/**
 * Texels of the level that fits a pixel, against one that fits a sample: four, as samples are, would blur what is written on things,
 * and with one, fine patterns flicker.
 */
export const SMOOTH_TEXELS = 2
/** Of each triangle in them: where it is shaded, column and row; which of the four samples it won, and their place in the row. */
export const S_SPAN_COLUMN = 62784
export const S_SPAN_ROW = 63040
export const S_SPAN_SAMPLES = 63296
export const S_SPAN_PLACE = 63552
/** Samples of a pixel that are not shaded yet: a number per pixel. */
export const S_SPAN_REST = 63808
export const SCRATCH_BYTES = 63872
