# SPDX-License-Identifier: Apache-2.0
# `make install`: the program finds its library at ../lib, so the whole may lie anywhere.

install(TARGETS seda RUNTIME DESTINATION bin)
install(TARGETS seda_pieces seda_voices seda_web LIBRARY DESTINATION lib)
if(SEDA_WITH_TORCH)
  install(TARGETS seda_train_torch LIBRARY DESTINATION lib)
endif()
install(FILES configs/config.yaml DESTINATION share/seda)
install(FILES LICENSE README.md DESTINATION share/doc/seda)
# Made by the program from its own help: nothing is written twice.
set(seda_scripts "")
foreach(kind IN ITEMS bash zsh man)
  set(script "${CMAKE_BINARY_DIR}/completion.${kind}")
  add_custom_command(OUTPUT "${script}" COMMAND seda completion ${kind} > "${script}" DEPENDS seda VERBATIM)
  list(APPEND seda_scripts "${script}")
endforeach()
add_custom_target(seda_completions ALL DEPENDS ${seda_scripts})
install(FILES "${CMAKE_BINARY_DIR}/completion.bash" DESTINATION share/bash-completion/completions RENAME seda)
install(FILES "${CMAKE_BINARY_DIR}/completion.zsh" DESTINATION share/zsh/site-functions RENAME _seda)
install(FILES "${CMAKE_BINARY_DIR}/completion.man" DESTINATION share/man/man1 RENAME seda.1)

# What `make build` makes: all that is installed, and the Python package; neither tests nor benchmarks.
add_custom_target(seda_program DEPENDS seda seda_pieces seda_voices seda_web seda_completions)
foreach(target IN ITEMS seda_train_torch seda_package)
  if(TARGET ${target})
    add_dependencies(seda_program ${target})
  endif()
endforeach()
