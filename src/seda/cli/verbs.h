// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace seda::cli {

// Each verb is one file; its function hangs the verb, its flags and its action into the tree.
void add_cache(CLI::App& app);       // cache.cpp
void add_completion(CLI::App& app);  // completion.cpp
void add_config(CLI::App& app);      // config.cpp
void add_corpus(CLI::App& app);      // corpus.cpp
void add_demo(CLI::App& app);        // demo.cpp
void add_diagnose(CLI::App& app);    // diagnose.cpp
void add_mel(CLI::App& app);         // mel.cpp
void add_prepare(CLI::App& app);     // prepare.cpp
void add_profile(CLI::App& app);     // profile.cpp
void add_synth(CLI::App& app);       // synth.cpp
void add_text(CLI::App& app);        // text.cpp
void add_train(CLI::App& app);       // train.cpp
void add_tune(CLI::App& app);        // tune.cpp
void add_validate(CLI::App& app);    // validate.cpp
void add_watch(CLI::App& app);       // watch.cpp

// Below `cache`.
void add_cache_clear(CLI::App& cache);   // cache_clear.cpp
void add_cache_gc(CLI::App& cache);      // cache_gc.cpp
void add_cache_merge(CLI::App& cache);   // cache_merge.cpp
void add_cache_stat(CLI::App& cache);    // cache_stat.cpp
void add_cache_verify(CLI::App& cache);  // cache_verify.cpp

// Below `profile`.
void add_profile_data(CLI::App& profile);  // profile_data.cpp
void add_profile_dual(CLI::App& profile);  // profile_dual.cpp
void add_profile_step(CLI::App& profile);  // profile_step.cpp

}  // namespace seda::cli
