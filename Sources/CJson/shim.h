// SPDX-License-Identifier: MIT
#pragma once
#include <json-c/json.h>
