package pocketdeck;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** Nodes as `uiautomator dump` writes them, and a little more. */
final class Hierarchy {
    private static final int MOST = 50000;
    private static final int HINT_IS_TOLD = 26;
    private static final String[] WINDOWS = {
        "", "application", "input_method", "system", "accessibility_overlay", "split_screen_divider"
    };

    private final StringBuilder xml = new StringBuilder(1 << 16);
    private final int width;
    private final int height;
    private int nodes;

    Hierarchy(int rotation, int width, int height) {
        this.width = width;
        this.height = height;
        xml.append("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy");
        attribute("rotation", Integer.toString(rotation));
        attribute("display", "0");
        xml.append('>');
    }

    String end() {
        return xml.append("</hierarchy>").toString();
    }

    void window(AccessibilityWindowInfo window) {
        Rect bounds = new Rect();
        window.getBoundsInScreen(bounds);
        int type = window.getType();
        xml.append("<window");
        attribute("id", Integer.toString(window.getId()));
        attribute("type", type > 0 && type < WINDOWS.length ? WINDOWS[type] : Integer.toString(type));
        attribute("layer", Integer.toString(window.getLayer()));
        attribute("active", window.isActive());
        attribute("focused", window.isFocused());
        attribute("bounds", told(bounds));
        xml.append(" />");
    }

    void node(AccessibilityNodeInfo node, int index) {
        if (++nodes > MOST) {
            throw new IllegalStateException("more nodes than any screen has");
        }
        Rect bounds = new Rect();
        node.getBoundsInScreen(bounds);
        Rect display = new Rect(0, 0, width, height);
        bounds.intersect(display);
        xml.append("<node");
        attribute("index", Integer.toString(index));
        attribute("text", node.getText());
        attribute("resource-id", node.getViewIdResourceName());
        attribute("class", node.getClassName());
        attribute("package", node.getPackageName());
        attribute("content-desc", node.getContentDescription());
        attribute("checkable", node.isCheckable());
        attribute("checked", node.isChecked());
        attribute("clickable", node.isClickable());
        attribute("enabled", node.isEnabled());
        attribute("focusable", node.isFocusable());
        attribute("focused", node.isFocused());
        attribute("scrollable", node.isScrollable());
        attribute("long-clickable", node.isLongClickable());
        attribute("password", node.isPassword());
        attribute("selected", node.isSelected());
        attribute("editable", node.isEditable());
        if (Screen.sdk() >= HINT_IS_TOLD && node.getHintText() != null) {
            attribute("hint", node.getHintText());
        }
        attribute("bounds", told(bounds));
        xml.append('>');
        for (int place = 0; place < node.getChildCount(); place++) {
            AccessibilityNodeInfo child = node.getChild(place);
            if (child != null && child.isVisibleToUser()) {
                node(child, place);
            }
        }
        xml.append("</node>");
    }

    private static String told(Rect rect) {
        return "[" + rect.left + "," + rect.top + "][" + rect.right + "," + rect.bottom + "]";
    }

    private void attribute(String name, boolean value) {
        attribute(name, value ? "true" : "false");
    }

    private void attribute(String name, CharSequence value) {
        xml.append(' ').append(name).append("=\"");
        for (int at = 0; value != null && at < value.length(); at++) {
            char c = value.charAt(at);
            boolean half = Character.isSurrogate(c);
            boolean pair = half && at + 1 < value.length() && Character.isSurrogatePair(c, value.charAt(at + 1));
            if (pair) {
                xml.append(c).append(value.charAt(++at));
            } else if (c == '&') {
                xml.append("&amp;");
            } else if (c == '<') {
                xml.append("&lt;");
            } else if (c == '>') {
                xml.append("&gt;");
            } else if (c == '"') {
                xml.append("&quot;");
            } else if (c == '\n' || c == '\r' || c == '\t') {
                xml.append("&#").append((int) c).append(';');
            } else if (half || c < ' ' || c >= 0x7f && c <= 0x9f && c != 0x85 || c >= 0xfdd0 && c <= 0xfdef || c > 0xfffd) {
                // XML has no such letter: as uiautomator writes it.
                xml.append('.');
            } else {
                xml.append(c);
            }
        }
        xml.append('"');
    }
}
