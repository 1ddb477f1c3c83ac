// Draws the same mesh from the same poses with OpenGL ES 3 on Mesa's software renderer, without a window.
// c++ -O2 llvmpipe.cpp -lEGL -lGLESv2 -o llvmpipe && LP_NUM_THREADS=0 ./llvmpipe mesh.bin
//
// mesh.bin, little-endian: u32 width, height, vertices, indices, poses, repeats;
// f32 xyz of each vertex; u8 rgba of each vertex; u32 instance of each vertex; u32 indices;
// f32 4 × 4 world-to-clip matrix (columns) of each pose.
// Prints one CPU time in milliseconds a line (all threads together): draw, then read back colour, depth (as f32 in a colour buffer) and id.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

static void fail(const char* what) {
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

static GLuint shader(GLenum kind, const char* source) {
  GLuint s = glCreateShader(kind);
  glShaderSource(s, 1, &source, nullptr);
  glCompileShader(s);
  GLint ok = 0;
  glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
  if (!ok) fail("shader");
  return s;
}

template <class T> static std::vector<T> take(FILE* f, size_t n) {
  std::vector<T> v(n);
  if (std::fread(v.data(), sizeof(T), n, f) != n) fail("reading the mesh");
  return v;
}

template <class T> static void buffer(GLenum target, const std::vector<T>& data) {
  GLuint b;
  glGenBuffers(1, &b);
  glBindBuffer(target, b);
  glBufferData(target, data.size() * sizeof(T), data.data(), GL_STATIC_DRAW);
}

int main(int argc, char** argv) {
  FILE* f = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  if (!f) fail("opening the mesh");
  auto head = take<unsigned>(f, 6);
  const unsigned width = head[0], height = head[1];

  auto getDisplay = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
  if (!getDisplay) fail("eglGetPlatformDisplayEXT");
  EGLDisplay display = getDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (!eglInitialize(display, nullptr, nullptr)) fail("eglInitialize");
  eglBindAPI(EGL_OPENGL_ES_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
  EGLConfig config;
  EGLint found = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) fail("eglChooseConfig");
  const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("eglMakeCurrent");
  std::fprintf(stderr, "%s\n", (const char*)glGetString(GL_RENDERER));

  GLuint vao;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  buffer(GL_ARRAY_BUFFER, take<float>(f, (size_t)head[2] * 3));
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  buffer(GL_ARRAY_BUFFER, take<unsigned char>(f, (size_t)head[2] * 4));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  buffer(GL_ARRAY_BUFFER, take<unsigned>(f, head[2]));
  glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, 0, nullptr);
  for (int i = 0; i < 3; i++) glEnableVertexAttribArray(i);
  buffer(GL_ELEMENT_ARRAY_BUFFER, take<unsigned>(f, head[3]));
  auto matrices = take<float>(f, (size_t)head[4] * 16);

  GLuint program = glCreateProgram();
  glAttachShader(program, shader(GL_VERTEX_SHADER,
    "#version 300 es\n"
    "layout(location=0) in vec3 p; layout(location=1) in vec4 c; layout(location=2) in uint i; uniform mat4 m;\n"
    "out vec4 color; flat out uint id; out float depth;\n"
    "void main() { gl_Position = m * vec4(p, 1.0); color = c; id = i; depth = gl_Position.w; }"));
  glAttachShader(program, shader(GL_FRAGMENT_SHADER,
    "#version 300 es\n"
    "precision highp float; precision highp int; in vec4 color; flat in uint id; in float depth;\n"
    "layout(location=0) out vec4 o; layout(location=1) out uint n; layout(location=2) out float d;\n"
    "void main() { o = color; n = id; d = depth; }"));
  glLinkProgram(program);
  glUseProgram(program);

  const GLenum formats[4] = {GL_RGBA8, GL_R32UI, GL_R32F, GL_DEPTH_COMPONENT24};
  const GLenum places[4] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_DEPTH_ATTACHMENT};
  GLuint target, textures[4];
  glGenFramebuffers(1, &target);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glGenTextures(4, textures);
  for (int i = 0; i < 4; i++) {
    glBindTexture(GL_TEXTURE_2D, textures[i]);
    glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], width, height);
    glFramebufferTexture2D(GL_FRAMEBUFFER, places[i], GL_TEXTURE_2D, textures[i], 0);
  }
  glDrawBuffers(3, places);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("framebuffer");
  glViewport(0, 0, width, height);
  glEnable(GL_DEPTH_TEST);

  std::vector<unsigned char> color(width * height * 4);
  std::vector<unsigned> ids(width * height);
  std::vector<float> depth(width * height);
  const GLint place = glGetUniformLocation(program, "m");
  const float white[4] = {1, 1, 1, 1}, zero[4] = {0, 0, 0, 0};
  const GLuint none[4] = {0, 0, 0, 0};
  const float far = 1;
  for (unsigned repeat = 0; repeat <= head[5]; repeat++)
    for (unsigned pose = 0; pose < head[4]; pose++) {
      const std::clock_t start = std::clock();
      glClearBufferfv(GL_COLOR, 0, white);
      glClearBufferuiv(GL_COLOR, 1, none);
      glClearBufferfv(GL_COLOR, 2, zero);
      glClearBufferfv(GL_DEPTH, 0, &far);
      glUniformMatrix4fv(place, 1, GL_FALSE, &matrices[pose * 16]);
      glDrawElements(GL_TRIANGLES, head[3], GL_UNSIGNED_INT, nullptr);
      glReadBuffer(GL_COLOR_ATTACHMENT0);
      glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, color.data());
      glReadBuffer(GL_COLOR_ATTACHMENT1);
      glReadPixels(0, 0, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT, ids.data());
      glReadBuffer(GL_COLOR_ATTACHMENT2);
      glReadPixels(0, 0, width, height, GL_RED, GL_FLOAT, depth.data());
      const double took = 1000.0 * (std::clock() - start) / CLOCKS_PER_SEC;
      // The first round warms up: shaders are compiled while it draws.
      if (repeat > 0) std::printf("%.3f\n", took);
    }
  if (argc > 2) {
    FILE* out = std::fopen(argv[2], "wb");
    std::fwrite(ids.data(), 4, ids.size(), out);
    std::fwrite(depth.data(), 4, depth.size(), out);
    std::fwrite(color.data(), 1, color.size(), out);
    std::fclose(out);
  }
  if (glGetError() != GL_NO_ERROR) fail("drawing");
}
