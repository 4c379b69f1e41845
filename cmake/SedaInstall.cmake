# SPDX-License-Identifier: Apache-2.0
# `make install`: the program finds its library at ../lib, so the whole may lie anywhere.

install(TARGETS seda RUNTIME DESTINATION bin)
install(TARGETS seda_pieces seda_voices seda_web LIBRARY DESTINATION lib)
if(SEDA_WITH_TORCH)
  install(TARGETS seda_train_torch LIBRARY DESTINATION lib)
endif()
install(FILES configs/config.yaml DESTINATION share/seda)
install(FILES LICENSE README.md DESTINATION share/doc/seda)
foreach(shell IN ITEMS bash zsh)
  add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/completion.${shell}"
    COMMAND seda completion ${shell} > "${CMAKE_BINARY_DIR}/completion.${shell}"
    DEPENDS seda VERBATIM)
endforeach()
add_custom_target(seda_completions ALL
  DEPENDS "${CMAKE_BINARY_DIR}/completion.bash" "${CMAKE_BINARY_DIR}/completion.zsh")
install(FILES "${CMAKE_BINARY_DIR}/completion.bash" DESTINATION share/bash-completion/completions RENAME seda)
install(FILES "${CMAKE_BINARY_DIR}/completion.zsh" DESTINATION share/zsh/site-functions RENAME _seda)
