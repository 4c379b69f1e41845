# SPDX-License-Identifier: Apache-2.0
# Sets SEDA_HOME, the folder that scripts/setup.sh installs into.

if(DEFINED ENV{SEDA_HOME})
  set(SEDA_HOME "$ENV{SEDA_HOME}")
elseif(DEFINED ENV{XDG_DATA_HOME})
  set(SEDA_HOME "$ENV{XDG_DATA_HOME}/seda")
else()
  set(SEDA_HOME "$ENV{HOME}/.local/share/seda")
endif()
