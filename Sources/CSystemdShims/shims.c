#include "CSystemdShims.h"
