package io.holdfast.examples.spring;

import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The box office over HTTP. */
@RestController
class Shop {

    private final BoxOffice office;
    private final JdbcTemplate jdbc;

    Shop(BoxOffice office, JdbcTemplate jdbc) {
        this.office = office;
        this.jdbc = jdbc;
    }

    @PostMapping("/orders")
    String order(@RequestParam("seat") int seat, @RequestParam("buyer") String buyer) throws InterruptedException {
        return office.sell(seat, buyer) ? "sold" : "taken";
    }

    /** What was sold, and how often the job ran. */
    @GetMapping("/report")
    Map<String, Object> report() {
        return jdbc.queryForMap(
                "SELECT (SELECT COUNT(*) FROM sale) AS sales, (SELECT COUNT(DISTINCT seat) FROM sale) AS seats,"
                        + " (SELECT COUNT(*) FROM job_run) AS runs");
    }
}
