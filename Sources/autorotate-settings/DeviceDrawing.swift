// SPDX-License-Identifier: MIT

import Autorotation
import CAdwaita

/// Draws the device in its orientation, with an image on its screen in the screen orientation.
///
/// The body rotates with the device orientation, the image with the screen orientation. A sun above and a horizon
/// below show at a glance whether the image is upright.
final class DeviceDrawing {
  private let area: Widget
  /// The normal orientation of its panel; landscape if it is not known.
  var panel: PanelAspect? { didSet { redraw(unless: panel == oldValue) } }
  /// The clockwise rotation of the device from upright, in quarter turns; `nil` if it is flat or unknown: seen from
  /// above.
  var device: Int? { didSet { redraw(unless: device == oldValue) } }
  /// The clockwise rotation of the screen content on the panel, in quarter turns.
  var screen = 0 { didSet { redraw(unless: screen == oldValue) } }

  init(in area: Widget) {
    self.area = area
    let data = Unmanaged.passUnretained(self).toOpaque()
    gtk_drawing_area_set_draw_func(area.cast(), Self.drawn, data, nil)
  }

  private func redraw(unless isSame: Bool) {
    if !isSame { gtk_widget_queue_draw(area.widget) }
  }

  private static let drawn: GtkDrawingAreaDrawFunc = { _, context, width, height, data in
    nonisolated(unsafe) let (context, data) = (context, data)
    MainActor.assumeIsolated {
      guard let context, let data else { return }
      let drawing = Unmanaged<DeviceDrawing>.fromOpaque(data).takeUnretainedValue()
      drawing.draw(on: context, Double(width), Double(height))
    }
  }

  private static let quarter = Double.pi / 2
  /// The sides of a panel of 16 : 10, whose diagonal must fit in every orientation.
  private static let (long, short) = (0.8, 0.5)

  private var size: (width: Double, height: Double) {
    panel == .portrait ? (Self.short, Self.long) : (Self.long, Self.short)
  }

  private func draw(on context: OpaquePointer, _ width: Double, _ height: Double) {
    let scale = min(width, height / 0.84)
    cairo_translate(context, width / 2, height / 2)
    cairo_scale(context, scale, scale)
    var color = GdkRGBA()
    gtk_style_context_get_color(gtk_widget_get_style_context(area.widget), &color)
    gdk_cairo_set_source_rgba(context, &color)
    if let device { cairo_rotate(context, Double(device) * Self.quarter) }
    drawBody(on: context)
    cairo_rotate(context, Double(screen) * Self.quarter)
    let isAcross = screen % 2 != 0
    drawScreen(on: context, isAcross ? size.height : size.width, isAcross ? size.width : size.height)
  }

  private func drawBody(on context: OpaquePointer) {
    let (x, y, radius) = (size.width / 2, size.height / 2, 0.04)
    cairo_new_sub_path(context)
    cairo_arc(context, x - radius, radius - y, radius, -Self.quarter, 0)
    cairo_arc(context, x - radius, y - radius, radius, 0, Self.quarter)
    cairo_arc(context, radius - x, y - radius, radius, Self.quarter, 2 * Self.quarter)
    cairo_arc(context, radius - x, radius - y, radius, 2 * Self.quarter, 3 * Self.quarter)
    cairo_close_path(context)
    cairo_set_line_width(context, 0.03)
    cairo_stroke(context)
    // The camera marks the upper edge.
    cairo_arc(context, 0, 0.035 - y, 0.01, 0, 4 * Self.quarter)
    cairo_fill(context)
  }

  private func drawScreen(on context: OpaquePointer, _ width: Double, _ height: Double) {
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
