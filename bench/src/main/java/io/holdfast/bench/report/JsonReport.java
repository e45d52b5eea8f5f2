package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything, for programs. */
public final class JsonReport {

    private JsonReport() {}

    public static String write(Setting setting, Results results) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("setting", setting(setting));
        root.put(
                "scenarios",
                results.scenarios().stream().map(s -> scenario(s, results)).toList());
        root.put("bars", Bar.verdicts(results).stream().map(JsonReport::bar).toList());
        return Json.write(root);
    }

    private static Map<String, Object> setting(Setting setting) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("at", setting.at());
        map.put("cores", setting.cores());
        map.put("load", setting.load());
        map.put("system", setting.system());
        map.put("java", setting.java());
        map.put("redis", setting.redis());
        map.put("embedded", setting.embedded());
        map.put("quick", setting.pace().quick());
        map.put("rounds", setting.rounds());
        map.put("warmUpSeconds", setting.pace().warmUp());
        map.put("seconds", setting.pace().seconds());
        map.put("versions", setting.versions());
        return map;
    }

    private static Map<String, Object> scenario(Scenario scenario, Results results) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", scenario.id());
        map.put("title", scenario.title());
        List<Object> metrics = new ArrayList<>();
        for (Metric metric : scenario.metrics()) {
            metrics.add(metric(scenario, metric, results));
        }
        map.put("metrics", metrics);
        Map<String, Object> faults = new LinkedHashMap<>();
        Map<String, Object> notes = new LinkedHashMap<>();
        for (Contestant contestant : results.contestants(scenario)) {
            results.fault(scenario, contestant)
                    .ifPresent(sample ->
                            faults.put(contestant.id(), (sample.isBroken() ? "broken: " : "") + sample.fault()));
            List<Sample> samples = results.samples(scenario, contestant);
            if (!samples.get(0).notes().isEmpty()) {
                notes.put(contestant.id(), samples.get(0).notes());
            }
        }
        map.put("faults", faults);
        map.put("notes", notes);
        return map;
    }

    private static Map<String, Object> metric(Scenario scenario, Metric metric, Results results) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", metric.id());
        map.put("title", metric.title());
        map.put("unit", metric.unit().symbol());
        map.put("moreIsBetter", metric.more());
        Map<String, Object> values = new LinkedHashMap<>();
        for (Contestant contestant : results.contestants(scenario)) {
            results.spread(scenario, contestant, metric).ifPresent(spread -> {
                Map<String, Object> value = new LinkedHashMap<>();
                value.put("median", spread.median());
                value.put("min", spread.min());
                value.put("max", spread.max());
                value.put("rounds", spread.rounds());
                values.put(contestant.id(), value);
            });
        }
        map.put("values", values);
        results.ratio(scenario, metric, Contestant::isPeer).ifPresent(ratio -> map.put("ratioToBestPeer", ratio));
        results.ratio(scenario, metric, contestant -> contestant == Contestant.CEILING)
                .ifPresent(ratio -> map.put("ratioToCeiling", ratio));
        return map;
    }

    private static Map<String, Object> bar(Bar.Verdict verdict) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("scenario", verdict.scenario().id());
        map.put("metric", verdict.metric().id());
        map.put("wanted", verdict.wanted());
        map.put("limit", verdict.limit());
        map.put("measured", verdict.measured());
        map.put("met", verdict.met());
        return map;
    }
}
