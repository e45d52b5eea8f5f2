package io.holdfast.examples.spring;

import io.holdfast.Lease;
import io.holdfast.spring.LockTemplate;
import io.holdfast.spring.WithLock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sells seats. It looks whether a seat is free, takes its time, and sells it: without the lock, two buyers would both find it
 * free. The lock is taken before the transaction begins, and given back after the commit.
 */
@Service
public class BoxOffice {

    private final JdbcTemplate jdbc;

    BoxOffice(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Whether the buyer has the seat now. */
    @WithLock("seat:{#seat}")
    @Transactional
    public boolean sell(int seat, String buyer) throws InterruptedException {
        String owner = owner(seat);
        if (owner != null) {
            return owner.equals(buyer); // asked again, since the first answer was lost
        }
        Thread.sleep(20); // the payment
        long token = LockTemplate.currentLease().map(Lease::token).orElseThrow();
        jdbc.update("UPDATE seat SET buyer = ? WHERE number = ?", buyer, seat);
        jdbc.update("INSERT INTO sale (seat, buyer, token) VALUES (?, ?, ?)", seat, buyer, token);
        return true;
    }

    private @Nullable String owner(int seat) {
        List<@Nullable String> owners =
                jdbc.query("SELECT buyer FROM seat WHERE number = ?", (row, i) -> row.getString(1), seat);
        if (owners.isEmpty()) {
            throw new IllegalArgumentException("there is no seat " + seat);
        }
        return owners.get(0);
    }
}
