-- SPDX-License-Identifier: MIT

-- A script of mpv: a portrait video in fullscreen makes the screen portrait. autorotate's own rule for mpv is landscape, for
-- all videos. To use it, add this line to ~/.config/mpv/mpv.conf:
--
--   script=/usr/share/doc/autorotate/examples/mpv/autorotate.lua

-- cat ends when the pipe is closed, and the request with it, even if mpv is killed.
local COMMAND = "exec autorotate request portrait --app mpv --while-focused mpv --why 'the video is portrait'"
    .. " -- cat >/dev/null"

-- The pipe to the command, while the request lasts.
local request

local function update()
    local isFullscreen = mp.get_property_native("fullscreen")
    -- As displayed: with the video's rotation and the shape of its pixels. Unknown between two videos of a list.
    local width, height = mp.get_property_number("dwidth"), mp.get_property_number("dheight")
    if isFullscreen and not (width and height) then return end
    local isWanted = isFullscreen and height > width
    if isWanted and not request then
        -- "e": other programs that mpv starts do not keep the pipe open.
        request = io.popen(COMMAND, "we")
    elseif request and not isWanted then
        request:close()
        request = nil
    end
end

for _, name in ipairs({"fullscreen", "dwidth", "dheight"}) do
    mp.observe_property(name, "native", update)
end
