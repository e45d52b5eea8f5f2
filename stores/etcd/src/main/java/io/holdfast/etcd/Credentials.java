package io.holdfast.etcd;

import org.jspecify.annotations.Nullable;

/** A user and a password, if etcd asks for them. */
record Credentials(@Nullable String user, @Nullable String password) {

    static final Credentials NONE = new Credentials(null, null);

    static Credentials of(EtcdAddress address) {
        return new Credentials(address.user(), address.password());
    }

    boolean exist() {
        return user != null;
    }

    @Override
    public String toString() {
        return user == null ? "no user" : "a user";
    }
}
