package io.holdfast.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ReflectionUtils;

/**
 * Finds calls of methods with {@link WithLock} through {@code this}, which go past the proxy: {@code locked()}, {@code this.locked()}, and
 * {@code this::locked}, also in lambdas. A call through a field or a parameter is none, since that may be the proxy.
 *
 * <p>Reads the byte code of the class and of its superclasses. Within a stretch of code without jumps, the receiver of a call is found by counting what
 * its arguments have pushed after it; a call whose receiver can't be found so is not reported.
 */
final class SelfInvocations {

    private SelfInvocations() {}

    /** @throws IllegalStateException if the class has such a call */
    static void check(Class<?> type) {
        Set<String> locked = new HashSet<>();
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            if (method.getDeclaringClass() != Object.class
                    && !method.isSynthetic()
                    && Definitions.isLocked(method, type)) {
                locked.add(method.getName() + Type.getMethodDescriptor(method));
            }
        }
        Set<String> family = new HashSet<>();
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            family.add(Type.getInternalName(owner));
        }
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            scan(owner, family, locked);
        }
    }

    private static void scan(Class<?> type, Set<String> family, Set<String> locked) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            if (in == null) {
                return; // made at run time
            }
            new ClassReader(in)
                    .accept(
                            new ClassVisitor(SpringAsmInfo.ASM_VERSION) {
                                @Override
                                public @Nullable MethodVisitor visitMethod(
                                        int access,
                                        String name,
                                        String descriptor,
                                        @Nullable String signature,
                                        String @Nullable [] exceptions) {
                                    boolean instance = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE)) == 0;
                                    return instance ? new Calls(type, name, family, locked) : null;
                                }
                            },
                            ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IOException | IllegalArgumentException e) {
            return; // unreadable, or newer than the reader: nothing can be said
        }
    }

    /**
     * Follows the operand stack as far as it goes: {@code true} for {@code this}, {@code false} for another value. After anything that is not
     * followed, what is below is unknown, and is not there.
     */
    private static final class Calls extends MethodVisitor {

        private final Class<?> type;
        private final String method;
        private final Set<String> family;
        private final Set<String> locked;
        private final Deque<Boolean> stack = new ArrayDeque<>();

        Calls(Class<?> type, String method, Set<String> family, Set<String> locked) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.method = method;
            this.family = family;
            this.locked = locked;
        }

        private void pop(int values) {
            for (int i = 0; i < values; i++) {
                stack.poll();
            }
        }

        private void push(Type value) {
            if (value.getSort() != Type.VOID) {
                stack.push(false);
            }
        }

        /** Whether the value below that many others is {@code this}. */
        private boolean isThis(int below) {
            return stack.stream().skip(below).findFirst().orElse(false);
        }

        @Override
        public void visitVarInsn(int opcode, int index) {
            if (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD) {
                stack.push(opcode == Opcodes.ALOAD && index == 0);
            } else {
                pop(1);
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            stack.push(false);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                pop(1);
            }
            stack.push(false);
        }

        @Override
        public void visitTypeInsn(int opcode, String internalName) {
            if (opcode == Opcodes.NEW) {
                stack.push(false);
            } else if (opcode != Opcodes.CHECKCAST) {
                pop(1);
                stack.push(false);
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            pop(
                    switch (opcode) {
                        case Opcodes.GETFIELD, Opcodes.PUTSTATIC -> 1;
                        case Opcodes.PUTFIELD -> 2;
                        default -> 0;
                    });
            if (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) {
                stack.push(false);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.DCONST_1) {
                stack.push(false);
            } else if (opcode == Opcodes.DUP) {
                stack.push(isThis(0));
            } else if (in(opcode, Opcodes.IALOAD, Opcodes.SALOAD)
                    || in(opcode, Opcodes.IADD, Opcodes.DREM)
                    || in(opcode, Opcodes.ISHL, Opcodes.LXOR)
                    || in(opcode, Opcodes.LCMP, Opcodes.DCMPG)) {
                pop(2);
                stack.push(false);
            } else if (in(opcode, Opcodes.INEG, Opcodes.DNEG)
                    || in(opcode, Opcodes.I2L, Opcodes.I2S)
                    || opcode == Opcodes.ARRAYLENGTH) {
                pop(1);
                stack.push(false);
            } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
                pop(3);
            } else if (opcode == Opcodes.POP) {
                pop(1);
            } else {
                stack.clear();
            }
        }

        private static boolean in(int opcode, int from, int to) {
            return opcode >= from && opcode <= to;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            if (opcode == Opcodes.GOTO) {
                stack.clear(); // what follows is reached from elsewhere
            } else {
                pop(opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE ? 2 : 1);
            }
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
            stack.clear();
        }

        @Override
        public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
            stack.clear();
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            pop(dimensions);
            stack.push(false);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            int captured = Type.getArgumentTypes(descriptor).length;
            if (captured > 0 && isThis(captured - 1)) {
                Arrays.stream(arguments)
                        .filter(Handle.class::isInstance)
                        .map(Handle.class::cast)
                        .forEach(handle -> found(handle.getOwner(), handle.getName(), handle.getDesc()));
            }
            pop(captured);
            push(Type.getReturnType(descriptor));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            int arguments = Type.getArgumentTypes(descriptor).length;
            // super.locked() belongs to an override, which has its own lock or says so by having none
            if (opcode != Opcodes.INVOKESTATIC && opcode != Opcodes.INVOKESPECIAL && isThis(arguments)) {
                found(owner, name, descriptor);
            }
            pop(arguments + (opcode == Opcodes.INVOKESTATIC ? 0 : 1));
            push(Type.getReturnType(descriptor));
        }

        private void found(String owner, String name, String descriptor) {
            if (family.contains(owner) && locked.contains(name + descriptor)) {
                String caller = method.startsWith("lambda$") ? "a lambda of " + method.split("\\$")[1] : method;
                throw new IllegalStateException(type.getName() + "." + caller + " calls " + name
                        + ", which has @WithLock, through 'this': that goes past the proxy, so it would run without its lock; call it"
                        + " on another bean, or on a reference to this bean's proxy, or use LockTemplate");
            }
        }
    }
}
