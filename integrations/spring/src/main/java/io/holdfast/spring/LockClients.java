package io.holdfast.spring;

import io.holdfast.Holdfast;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Finds the client that an annotation names. */
final class LockClients {

    private final BeanFactory beans;

    LockClients(BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The bean of that name, or the only or primary one if the name is empty.
     *
     * @throws IllegalStateException if there is no such bean, or several without a primary one
     */
    Holdfast client(String name) {
        try {
            return name.isEmpty() ? beans.getBean(Holdfast.class) : beans.getBean(name, Holdfast.class);
        } catch (NoUniqueBeanDefinitionException e) {
            throw new IllegalStateException(
                    "there are several beans of type " + Holdfast.class.getName()
                            + "; name one in @WithLock(client = …), or make one of them @Primary",
                    e);
        } catch (NoSuchBeanDefinitionException e) {
            throw new IllegalStateException(
                    name.isEmpty()
                            ? "@WithLock needs a bean of type " + Holdfast.class.getName()
                                    + "; define one, for instance with Holdfast.connect(\"redis://…\")"
                            : "@WithLock(client = \"" + name + "\") names no bean",
                    e);
        }
    }
}
