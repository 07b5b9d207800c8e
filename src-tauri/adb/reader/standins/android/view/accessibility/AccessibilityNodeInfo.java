package android.view.accessibility;

import android.graphics.Rect;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import standin.World;

/** One line of the world's file. */
public class AccessibilityNodeInfo {
    public static final int FOCUS_INPUT = 1;

    private final Map<String, String> told = new HashMap<>();
    private final List<AccessibilityNodeInfo> children = new ArrayList<>();

    public void tell(String name, String value) {
        told.put(name, value);
    }

    public void add(AccessibilityNodeInfo child) {
        children.add(child);
    }

    private String get(String name) {
        return told.get(name);
    }

    private boolean is(String name) {
        return "true".equals(told.get(name));
    }

    public boolean refresh() {
        AccessibilityNodeInfo fresh = World.find(get("id"));
        if (fresh == null) {
            return false;
        }
        told.putAll(fresh.told);
        return true;
    }

    public AccessibilityNodeInfo findFocus(int kind) {
        if (is("focused")) {
            return this;
        }
        for (AccessibilityNodeInfo child : children) {
            AccessibilityNodeInfo found = child.findFocus(kind);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    public boolean performAction(int action, Bundle arguments) {
        if (action == 0x200000 && !is("refuses")) {
            World.put(get("id"), arguments.get("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE").toString());
            return true;
        }
        if (action == 0x20000) {
            World.move(get("id"), (Integer) arguments.get("ACTION_ARGUMENT_SELECTION_START_INT"));
            return true;
        }
        return false;
    }

    public int getChildCount() {
        return children.size();
    }

    public AccessibilityNodeInfo getChild(int place) {
        return children.get(place);
    }

    public void getBoundsInScreen(Rect bounds) {
        String[] sides = get("bounds").split(",");
        bounds.set(
                Integer.parseInt(sides[0]),
                Integer.parseInt(sides[1]),
                Integer.parseInt(sides[2]),
                Integer.parseInt(sides[3]));
    }

    public CharSequence getText() {
        return is("hinting") ? get("hint") : get("text");
    }

    public CharSequence getHintText() {
        return get("hint");
    }

    public boolean isShowingHintText() {
        return is("hinting");
    }

    public String getViewIdResourceName() {
        return get("resource");
    }

    public CharSequence getClassName() {
        return get("class");
    }

    public CharSequence getPackageName() {
        return "com.example";
    }

    public CharSequence getContentDescription() {
        return get("description");
    }

    public int getTextSelectionStart() {
        return get("cursor") == null ? -1 : Integer.parseInt(get("cursor"));
    }

    public int getTextSelectionEnd() {
        return getTextSelectionStart();
    }

    public boolean isCheckable() {
        return is("checkable");
    }

    public boolean isChecked() {
        return is("checked");
    }

    public boolean isClickable() {
        return is("clickable");
    }

    public boolean isEnabled() {
        return !is("disabled");
    }

    public boolean isFocusable() {
        return is("focusable");
    }

    public boolean isFocused() {
        return is("focused");
    }

    public boolean isScrollable() {
        return is("scrollable");
    }

    public boolean isLongClickable() {
        return is("long");
    }

    public boolean isPassword() {
        return is("password");
    }

    public boolean isSelected() {
        return is("selected");
    }

    public boolean isEditable() {
        return is("editable");
    }

    public boolean isVisibleToUser() {
        return !is("hidden");
    }
}
