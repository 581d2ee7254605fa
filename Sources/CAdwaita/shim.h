// SPDX-License-Identifier: MIT
#pragma once
#include <adwaita.h>
