package android.os;

import java.util.HashMap;
import java.util.Map;

public final class Bundle {
    private final Map<String, Object> held = new HashMap<>();

    public void putCharSequence(String name, CharSequence value) {
        held.put(name, value);
    }

    public void putInt(String name, int value) {
        held.put(name, value);
    }

    public Object get(String name) {
        return held.get(name);
    }
}
