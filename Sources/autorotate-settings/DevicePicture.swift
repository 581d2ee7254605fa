// SPDX-License-Identifier: MIT

import CAdwaita

/// The device as it is held, with the picture that it shows.
///
/// The body turns with the device, and what is on it with the picture. So a sun above and a horizon below say at a
/// glance whether the picture stands the right way up.
final class DevicePicture {
  /// How far the device is turned clockwise out of its upright position, in quarters.
  enum Hold: Equatable {
    case quarters(Int)
    /// Flat, or unknown: seen from above.
    case flat
  }

  private let area: Widget
  var hold = Hold.flat { didSet { redraw(unless: hold == oldValue) } }
  /// How far the picture is turned clockwise on the panel, in quarters.
  var picture = 0 { didSet { redraw(unless: picture == oldValue) } }

  init(in area: Widget) {
    self.area = area
    let data = Unmanaged.passUnretained(self).toOpaque()
    gtk_drawing_area_set_draw_func(area.cast(), Self.drawn, data, nil)
  }

  private func redraw(unless isSame: Bool) {
    if !isSame { gtk_widget_queue_draw(area.widget) }
  }

  private static let drawn: GtkDrawingAreaDrawFunc = { area, context, width, height, data in
    nonisolated(unsafe) let (area, context, data) = (area, context, data)
    MainActor.assumeIsolated {
      guard let area, let context, let data else { return }
      let picture = Unmanaged<DevicePicture>.fromOpaque(data).takeUnretainedValue()
      picture.draw(on: context, Double(width), Double(height), in: color(of: Widget(area)))
    }
  }

  private static func color(of area: Widget) -> GdkRGBA {
    var color = GdkRGBA()
    gtk_style_context_get_color(gtk_widget_get_style_context(area.widget), &color)
    return color
  }

  private static let quarter = Double.pi / 2
  /// Of a panel of 16 : 10, whose diagonal has to fit however it is held.
  private static let (wide, high) = (0.8, 0.5)

  private func draw(on context: OpaquePointer, _ width: Double, _ height: Double, in color: GdkRGBA) {
    let size = min(width, height / 0.84)
    cairo_translate(context, width / 2, height / 2)
    cairo_scale(context, size, size)
    cairo_set_source_rgba(
      context, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
    if case .quarters(let quarters) = hold { cairo_rotate(context, Double(quarters) * Self.quarter) }
    drawBody(on: context)
    cairo_rotate(context, Double(picture) * Self.quarter)
    let isAcross = picture % 2 != 0
    drawPicture(on: context, isAcross ? Self.high : Self.wide, isAcross ? Self.wide : Self.high)
  }

  private func drawBody(on context: OpaquePointer) {
    let (x, y, radius) = (Self.wide / 2, Self.high / 2, 0.04)
    cairo_new_sub_path(context)
    cairo_arc(context, x - radius, radius - y, radius, -Self.quarter, 0)
    cairo_arc(context, x - radius, y - radius, radius, 0, Self.quarter)
    cairo_arc(context, radius - x, y - radius, radius, Self.quarter, 2 * Self.quarter)
    cairo_arc(context, radius - x, radius - y, radius, 2 * Self.quarter, 3 * Self.quarter)
    cairo_close_path(context)
    cairo_set_line_width(context, 0.03)
    cairo_stroke(context)
    // The camera: where the upper edge is.
    cairo_arc(context, 0, 0.035 - y, 0.01, 0, 4 * Self.quarter)
    cairo_fill(context)
  }

  private func drawPicture(on context: OpaquePointer, _ width: Double, _ height: Double) {
    let (x, y) = (width / 2 - 0.07, height / 2 - 0.07)
    cairo_arc(context, x * 0.5, -y * 0.4, 0.05, 0, 4 * Self.quarter)
    cairo_fill(context)
    cairo_move_to(context, -x, y)
    cairo_line_to(context, -x * 0.35, -y * 0.3)
    cairo_line_to(context, x * 0.1, y * 0.35)
    cairo_line_to(context, x * 0.4, 0)
    cairo_line_to(context, x, y)
    cairo_close_path(context)
    cairo_fill(context)
  }
}
