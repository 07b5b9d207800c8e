# A window to drag a file out of, as a file manager's: its one argument is the file.
import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

file = pathlib.Path(sys.argv[1])
window = Gtk.Window(title="Files")
window.set_default_size(160, 120)
box = Gtk.EventBox()
box.add(Gtk.Label(label=file.name))
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda _box, _context, data, _info, _time: data.set_uris([file.as_uri()]))
window.add(box)
window.show_all()
window.move(10, 10)
Gtk.main()
