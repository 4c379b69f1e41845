// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/app.h"

int main(int argc, char** argv) {
  return seda::cli::run({argv, argv + argc});
}
