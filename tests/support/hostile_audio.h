// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace seda::testing_support {

/// A file that is no clip, and the code of the fault that says so.
struct HostileFile {
  std::string name;
  std::string expected_code;
};

/// A file with a header that is wrong but does no harm, and how many samples it holds.
struct OddFile {
  std::string name;
  size_t samples = 0;
};

/// Wav files byte by byte.
namespace wav_bytes_by_hand {

template <typename T>
std::string little(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

struct Format {
  uint16_t format = 1;
  uint16_t channels = 1;
  uint32_t rate = 22050;
  uint16_t bits = 16;
};

inline std::string format_chunk(const Format& f, const std::string& extension = "") {
  const auto frame = static_cast<uint16_t>(f.channels * (f.bits / 8));
  const std::string content = little(f.format) + little(f.channels) + little(f.rate) +
                              little(f.rate * frame) + little(frame) + little(f.bits) + extension;
  return "fmt " + little(static_cast<uint32_t>(content.size())) + content;
}

inline std::string data_chunk(uint32_t claimed, const std::string& content) {
  return "data" + little(claimed) + content;
}
inline std::string data_chunk(const std::string& content) {
  return data_chunk(static_cast<uint32_t>(content.size()), content);
}

inline std::string riff(const std::string& chunks) {
  return "RIFF" + little(static_cast<uint32_t>(chunks.size() + 4)) + "WAVE" + chunks;
}
inline std::string riff(const std::string& chunks, uint32_t claimed) {
  return "RIFF" + little(claimed) + "WAVE" + chunks;
}

/// `count` 16-bit samples of a quiet tone.
inline std::string tone(size_t count) {
  std::string bytes;
  for (size_t t = 0; t < count; ++t) {
    bytes +=
        little(static_cast<int16_t>(std::lrint(3000 * std::sin(0.1 * static_cast<double>(t)))));
  }
  return bytes;
}

/// `count` floats, the one in the middle `odd`.
inline std::string floats_with(float odd, size_t count) {
  std::string bytes;
  for (size_t t = 0; t < count; ++t)
    bytes += little(t == count / 2 ? odd : 0.25F);
  return bytes;
}

/// An extensible format chunk's end: size, bits, speakers, and a name of 16 bytes.
inline std::string extension(const std::string& name) {
  return little(uint16_t{22}) + little(uint16_t{16}) + little(uint32_t{0}) + name;
}

/// The 64-bit sizes of RF64 and a file that claims `bytes` of samples.
inline std::string rf64(uint64_t bytes, const std::string& content) {
  const std::string sizes =
      little(bytes + 100) + little(bytes) + little(bytes / 2) + little(uint32_t{0});
  return "RF64" + little(uint32_t{0xffffffff}) + "WAVE" + "ds64" +
         little(static_cast<uint32_t>(sizes.size())) + sizes + format_chunk({}) +
         data_chunk(0xffffffff, content);
}

/// A flac file's first block: 22,050 Hz, mono, 16 bits, `samples` of them, then nothing.
inline std::string flac_header(uint64_t samples) {
  std::string info = {'\x10', '\0', '\x10', '\0', '\0', '\0', '\0', '\0', '\0', '\0'};
  const uint64_t packed = uint64_t{22050} << 44 | uint64_t{0} << 41 | uint64_t{15} << 36 | samples;
  for (int shift = 56; shift >= 0; shift -= 8)
    info += static_cast<char>(packed >> shift & 0xff);
  return std::string("fLaC\x80\0\0\x22", 8) + info + std::string(16, '\0');
}

/// Bytes that follow no rule.
inline std::string noise(size_t count) {
  std::string bytes;
  uint32_t state = 1;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

inline void put(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace wav_bytes_by_hand

/// Wav files that lie about themselves.
inline std::vector<HostileFile> write_hostile_wavs(const std::filesystem::path& folder) {
  using namespace wav_bytes_by_hand;
  std::vector<HostileFile> files;
  const auto add = [&](const std::string& name, const std::string& code, const std::string& bytes) {
    put(folder / name, bytes);
    files.push_back({name, code});
  };
  const std::string one_second = riff(format_chunk({}) + data_chunk(tone(22050)));
  const std::string data = data_chunk(tone(400));
  const float infinite = HUGE_VALF;
  add("no_samples.wav", "audio_empty", riff(format_chunk({}) + data_chunk("")));
  add("half_a_frame.wav", "audio_empty", riff(format_chunk({}) + data_chunk("x")));
  add("no_samples_but_a_list.wav", "audio_empty",
      riff(format_chunk({}) + data_chunk("") + "LIST" + little(uint32_t{4}) + "INFO"));
  add("cut_header.wav", "audio_format", one_second.substr(0, 30));
  add("cut_samples.wav", "audio_truncated", one_second.substr(0, 11000));
  add("cut_by_one_sample.wav", "audio_truncated", one_second.substr(0, one_second.size() - 2));
  add("ten_hours_in_1_kb.wav", "audio_truncated",
      riff(format_chunk({}) + data_chunk(1'587'600'000, tone(490))));
  add("four_gigabytes_in_1_kb.wav", "audio_truncated",
      riff(format_chunk({}) + data_chunk(0xfffffff0, tone(490))));
  add("ten_gigabytes_in_1_kb.wav", "audio_truncated", rf64(10'000'000'000, tone(470)));
  add("endless_in_1_kb.wav", "audio_truncated", rf64(~uint64_t{0} - 200, tone(470)));
  add("zero_channels.wav", "audio_format", riff(format_chunk({.channels = 0}) + data));
  add("too_many_channels.wav", "audio_format", riff(format_chunk({.channels = 65}) + data));
  add("most_channels.wav", "audio_empty", riff(format_chunk({.channels = 65535}) + data));
  add("zero_rate.wav", "audio_format", riff(format_chunk({.rate = 0}) + data));
  add("one_hertz.wav", "audio_format", riff(format_chunk({.rate = 1}) + data));
  add("highest_rate.wav", "audio_format", riff(format_chunk({.rate = 0xffffffff}) + data));
  add("zero_bits.wav", "audio_format", riff(format_chunk({.bits = 0}) + data));
  add("too_many_bits.wav", "audio_format", riff(format_chunk({.bits = 64}) + data));
  add("unknown_encoding.wav", "audio_format", riff(format_chunk({.format = 0x7777}) + data));
  add("strange_guid.wav", "audio_format",
      riff(format_chunk({.format = 0xfffe}, extension("a name of no one")) + data));
  add("short_extension.wav", "audio_format", riff(format_chunk({.format = 0xfffe}) + data));
  add("data_before_fmt.wav", "audio_format", riff(data + format_chunk({})));
  add("no_data.wav", "audio_format", riff(format_chunk({})));
  add("huge_chunk.wav", "audio_format",
      riff("LIST" + little(uint32_t{0xfffffff0}) + format_chunk({}) + data));
  add("huge_fmt.wav", "audio_format", riff("fmt " + little(uint32_t{0xffffffff}) + data));
  add("not_a_number.wav", "audio_not_finite",
      riff(format_chunk({.format = 3, .bits = 32}) + data_chunk(floats_with(std::nanf(""), 400))));
  add("infinite.wav", "audio_not_finite",
      riff(format_chunk({.format = 3, .bits = 32}) + data_chunk(floats_with(-infinite, 400))));
  add("absurd.wav", "audio_not_finite",
      riff(format_chunk({.format = 3, .bits = 32}) + data_chunk(floats_with(3e38F, 400))));
  put(folder / "three_hours.wav",
      riff(format_chunk({.rate = 1000, .bits = 8}) + data_chunk(10'800'000, "")));
  std::filesystem::resize_file(folder / "three_hours.wav", 44 + 10'800'000);  // holes, not bytes
  files.push_back({"three_hours.wav", "audio_too_long"});
  return files;
}

/// Files of other kinds, damaged.
inline std::vector<HostileFile> write_hostile_streams(const std::filesystem::path& folder) {
  using namespace wav_bytes_by_hand;
  std::vector<HostileFile> files;
  const auto add = [&](const std::string& name, const std::string& code, const std::string& bytes) {
    put(folder / name, bytes);
    files.push_back({name, code});
  };
  add("empty.wav", "audio_empty", "");
  add("one_byte.wav", "audio_format", "R");
  add("text.wav", "audio_format", "This is a letter, not a sound.\n");
  add("noise.bin", "audio_format", noise(1000));
  add("zeros.wav", "audio_format", std::string(1000, '\0'));
  add("word_only.flac", "audio_format", "fLaC");
  add("noise.flac", "audio_format", "fLaC" + noise(1000));
  add("header_only.flac", "audio_truncated", flac_header(22050));
  add("noise_after_header.flac", "audio_format", flac_header(22050) + noise(1000));
  add("ten_hours.flac", "audio_too_long", flac_header(793'800'000) + noise(900));
  add("word_only.ogg", "audio_format", "OggS");
  add("noise.ogg", "audio_format", "OggS" + noise(1000));
  add("word_only.mp3", "audio_format", "ID3");
  add("noise.mp3", "audio_format", "ID3" + noise(1000));
  add("huge_tag.mp3", "audio_format", std::string("ID3\x04\0\0\x7f\x7f\x7f\x7f", 10) + noise(900));
  add("noise_after_sync.mp3", "audio_format", "\xff\xfb\x90\x64" + noise(1000));
  add("aiff.wav", "audio_format", "FORM" + little(uint32_t{0x1000000}) + "AIFFCOMM");
  return files;
}

/// What stands in place of a file.
inline std::vector<HostileFile> make_hostile_places(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::vector<HostileFile> files = {
      {"missing.wav", "audio_missing"},       {"folder.wav", "audio_not_a_file"},
      {"pipe.wav", "audio_not_a_file"},       {"itself.wav", "audio_not_a_file"},
      {"device.wav", "audio_not_a_file"},     {"nowhere.wav", "audio_missing"},
      {"text.wav/below.wav", "audio_missing"}};
  fs::create_directory(folder / "folder.wav");
  mkfifo((folder / "pipe.wav").c_str(), 0666);
  fs::create_symlink("itself.wav", folder / "itself.wav");
  fs::create_symlink("/dev/zero", folder / "device.wav");
  fs::create_symlink("no such file", folder / "nowhere.wav");
  return files;
}

/// Writes files that are no clips into `folder`, which is there and empty, and lists them. A reader
/// must answer each with its fault, at once, and without taking much memory.
inline std::vector<HostileFile> write_hostile_audio(const std::filesystem::path& folder) {
  std::vector<HostileFile> files = write_hostile_wavs(folder);
  for (auto&& file : write_hostile_streams(folder))
    files.push_back(file);
  for (auto&& file : make_hostile_places(folder))
    files.push_back(file);
  return files;
}

/// Writes mono files of 22,050 Hz whose headers are wrong, in ways that programs are known to get
/// wrong, and whose samples are all there.
inline std::vector<OddFile> write_odd_audio(const std::filesystem::path& folder) {
  using namespace wav_bytes_by_hand;
  std::vector<OddFile> files;
  const auto add = [&](const std::string& name, const std::string& bytes) {
    put(folder / name, bytes);
    files.push_back({name, 400});
  };
  const std::string format = format_chunk({});
  const std::string samples = tone(400);
  const std::string data = data_chunk(samples);
  const std::string list = "LIST" + little(uint32_t{3}) + "odd";
  for (const uint32_t size : {0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7ffff000u}) {
    add("streamed_" + std::to_string(size) + ".wav",
        riff(format + data_chunk(size, samples), size));
  }
  add("streamed_0.wav", riff(format + data_chunk(0, samples), 0));
  add("streamed_36.wav", riff(format + data_chunk(0, samples), 36));
  add("wrong_riff_size.wav", riff(format + data, 0x12345678));
  add("odd_chunk.wav", riff(list + std::string(1, '\0') + format + data));
  add("odd_chunk_without_padding.wav", riff(list + format + data));
  add("odd_chunk_before_samples.wav", riff(format + list + data));
  add("chunk_after_samples.wav", riff(format + data + "LIST" + little(uint32_t{4}) + "INFO"));
  add("part_of_a_sample_more.wav", riff(format + data_chunk(samples + "x")));
  add("long_header.wav",
      riff("junk" + little(uint32_t{3'000'000}) + std::string(3'000'000, 'j') + format + data));
  add("extensible.wav",
      riff(format_chunk(
               {.format = 0xfffe},
               extension(std::string("\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 16))) +
           data));
  add("long_sizes.wav", rf64(samples.size(), samples));
  return files;
}

}  // namespace seda::testing_support
