// The kernel compiled for the machine itself: kernel.h is made from its sources, line by line, by bench/render/native.ts.
// c++ -O3 -march=native -ffp-contract=off -fsingle-precision-constant raster.cpp -o raster && ./raster frames.bin
//
// frames.bin, little-endian: u32 bytes of memory, address of the frame, poses, rounds; the memory; 256 bytes a pose.
// Prints one CPU time in milliseconds a line, then a checksum of the colors of the last picture.
#include "wasm.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

u8* MEMORY;
#include "kernel.h"

int main(int argc, char** argv) {
  FILE* f = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  u32 head[4];
  if (!f || std::fread(head, 4, 4, f) != 4) return 1;
  std::vector<u8> memory(head[0]), views(head[2] * 256);
  if (std::fread(memory.data(), 1, memory.size(), f) != memory.size()) return 1;
  if (std::fread(views.data(), 1, views.size(), f) != views.size()) return 1;
  MEMORY = memory.data();
  for (u32 round = 0; round <= head[3]; round++)
    for (u32 pose = 0; pose < head[2]; pose++) {
      std::memcpy(MEMORY + head[1], &views[pose * 256], 256);
      const std::clock_t start = std::clock();
      kernel_index::draw(head[1]);
      const double took = 1000.0 * (std::clock() - start) / CLOCKS_PER_SEC;
      if (round > 0) std::printf("%.3f\n", took);
    }
  const u32* words = (const u32*)(MEMORY + head[1]);
  u32 bytes = words[at::V_WIDTH] * words[at::V_HEIGHT] * 3;
  if (words[at::F_WANTED] & at::WANT_HALVE) bytes /= 4;
  u32 sum = 0;
  for (u32 i = 0; i < bytes; i++) sum = sum * 31 + MEMORY[words[at::F_COLOR] + i];
  std::printf("%u\n", sum);
}
