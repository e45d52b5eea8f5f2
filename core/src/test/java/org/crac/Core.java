package org.crac;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** As in the real API, with a context that tells its resources and makes no checkpoint. */
public final class Core {

    private static final Context<Resource> GLOBAL = new Global();

    private Core() {}

    public static Context<Resource> getGlobalContext() {
        return GLOBAL;
    }

    private static final class Global extends Context<Resource> {

        private final Set<Resource> resources =
                Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        @Override
        public void register(Resource resource) {
            resources.add(resource);
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
            for (Resource resource : all()) {
                resource.beforeCheckpoint(this);
            }
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) throws Exception {
            for (Resource resource : all()) {
                resource.afterRestore(this);
            }
        }

        private List<Resource> all() {
            synchronized (resources) {
                return new ArrayList<>(resources);
            }
        }
    }
}
