<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Syncopate</name>
    <message numerus="yes">
        <source>%1 % of its lanes are busy, %n transfers; the first:</source>
        <translation>
            <numerusform>%1 % of its lanes are busy, %n transfer</numerusform>
            <numerusform>%1 % of its lanes are busy, %n transfers; the first:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 % of the link's rate, %n transfers; the first:</source>
        <translation>
            <numerusform>%1 % of the link's rate, %n transfer</numerusform>
            <numerusform>%1 % of the link's rate, %n transfers; the first:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 a step on %n nodes</source>
        <translation>
            <numerusform>%1 a step on %n node</numerusform>
            <numerusform>%1 a step on %n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tuners</source>
        <translation>
            <numerusform>%1 of %n tuner</numerusform>
            <numerusform>%1 of %n tuners</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n servers, at most %2 on one</source>
        <translation>
            <numerusform>%1 on %n server, at most %2 on one</numerusform>
            <numerusform>%1 on %n servers, at most %2 on one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 plans… %n evaluations</source>
        <translation>
            <numerusform>%1 plans… %n evaluation</numerusform>
            <numerusform>%1 plans… %n evaluations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 reduces %2 (%n variables or parts), %3 of the mean</source>
        <translation>
            <numerusform>%1 reduces %2 (%n variable or part), %3 of the mean</numerusform>
            <numerusform>%1 reduces %2 (%n variables or parts), %3 of the mean</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n processes</source>
        <translation>
            <numerusform>%1, %n process</numerusform>
            <numerusform>%1, %n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n workers</source>
        <translation>
            <numerusform>%1: %n worker</numerusform>
            <numerusform>%1: %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n all-reduce groups</source>
        <translation>
            <numerusform>%n all-reduce group</numerusform>
            <numerusform>%n all-reduce groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates</source>
        <translation>
            <numerusform>%n candidate</numerusform>
            <numerusform>%n candidates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n channels are left out.</source>
        <translation>
            <numerusform>%n channel is left out.</numerusform>
            <numerusform>%n channels are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n collectives</source>
        <translation>
            <numerusform>%n collective</numerusform>
            <numerusform>%n collectives</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n compute-ops</source>
        <translation>
            <numerusform>%n compute-op</numerusform>
            <numerusform>%n compute-ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events in %1</source>
        <translation>
            <numerusform>%n event in %1</numerusform>
            <numerusform>%n events in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events recorded</source>
        <translation>
            <numerusform>%n event recorded</numerusform>
            <numerusform>%n events recorded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n iterations: re-tuned %1 %2, once %3, oracle %4</source>
        <translation>
            <numerusform>%n iteration: re-tuned %1 %2, once %3, oracle %4</numerusform>
            <numerusform>%n iterations: re-tuned %1 %2, once %3, oracle %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kinds of collectives are left out of the list.</source>
        <translation>
            <numerusform>%n kind of collective is left out of the list.</numerusform>
            <numerusform>%n kinds of collectives are left out of the list.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs of other policies</source>
        <translation>
            <numerusform>%n knob of another policy</numerusform>
            <numerusform>%n knobs of other policies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs that plans ignore</source>
        <translation>
            <numerusform>%n knob that plans ignore</numerusform>
            <numerusform>%n knobs that plans ignore</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs without effect now</source>
        <translation>
            <numerusform>%n knob without effect now</numerusform>
            <numerusform>%n knobs without effect now</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measured curves</source>
        <translation>
            <numerusform>%n measured curve</numerusform>
            <numerusform>%n measured curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measured points: median error %1 %, worst %2 % (W = %3)</source>
        <translation>
            <numerusform>%n measured point: median error %1 %, worst %2 % (W = %3)</numerusform>
            <numerusform>%n measured points: median error %1 %, worst %2 % (W = %3)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n motifs on %1, %2</source>
        <translation>
            <numerusform>%n motif on %1, %2</numerusform>
            <numerusform>%n motifs on %1, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n motifs, by hand</source>
        <translation>
            <numerusform>%n motif, by hand</numerusform>
            <numerusform>%n motifs, by hand</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them on the critical path</source>
        <translation>
            <numerusform>%n of them on the critical path</numerusform>
            <numerusform>%n of them on the critical path</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plans</source>
        <translation>
            <numerusform>%n plan</numerusform>
            <numerusform>%n plans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plans, seed %1</source>
        <translation>
            <numerusform>%n plan, seed %1</numerusform>
            <numerusform>%n plans, seed %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points, each planned anew; a click plans for its setting</source>
        <translation>
            <numerusform>%n point, each planned anew; a click plans for its setting</numerusform>
            <numerusform>%n points, each planned anew; a click plans for its setting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points; a click sets the knob</source>
        <translation>
            <numerusform>%n point; a click sets the knob</numerusform>
            <numerusform>%n points; a click sets the knob</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n processes</source>
        <translation>
            <numerusform>%n process</numerusform>
            <numerusform>%n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scenarios</source>
        <translation>
            <numerusform>%n scenario</numerusform>
            <numerusform>%n scenarios</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n servers</source>
        <translation>
            <numerusform>%n server</numerusform>
            <numerusform>%n servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settings</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards</source>
        <translation>
            <numerusform>%n shard</numerusform>
            <numerusform>%n shards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n simulations…</source>
        <translation>
            <numerusform>%n simulation…</numerusform>
            <numerusform>%n simulations…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n spans in the timeline</source>
        <translation>
            <numerusform>%n span in the timeline</numerusform>
            <numerusform>%n spans in the timeline</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n spans recorded</source>
        <translation>
            <numerusform>%n span recorded</numerusform>
            <numerusform>%n spans recorded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trials, seed %1</source>
        <translation>
            <numerusform>%n trial, seed %1</numerusform>
            <numerusform>%n trials, seed %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variables</source>
        <translation>
            <numerusform>%n variable</numerusform>
            <numerusform>%n variables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variables (%1)</source>
        <translation>
            <numerusform>%n variable (%1)</numerusform>
            <numerusform>%n variables (%1)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ways</source>
        <translation>
            <numerusform>%n way</numerusform>
            <numerusform>%n ways</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers: %1</source>
        <translation>
            <numerusform>%n worker: %1</numerusform>
            <numerusform>%n workers: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n workers</source>
        <translation>
            <numerusform>, %n worker</numerusform>
            <numerusform>, %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Bottleneck point: %n workers. Another one adds less than %1 % of what the first brings; %2.</source>
        <translation>
            <numerusform>Bottleneck point: %n worker. Another one adds less than %1 % of what the first brings; %2.</numerusform>
            <numerusform>Bottleneck point: %n workers. Another one adds less than %1 % of what the first brings; %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Knee: %n or more workers</source>
        <translation>
            <numerusform>Knee: %n or more workers</numerusform>
            <numerusform>Knee: %n or more workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Knee: %n workers</source>
        <translation>
            <numerusform>Knee: %n worker</numerusform>
            <numerusform>Knee: %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No bottleneck up to %n workers; %1 there.</source>
        <translation>
            <numerusform>No bottleneck up to %n worker; %1 there.</numerusform>
            <numerusform>No bottleneck up to %n workers; %1 there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n changes that were tried helps.</source>
        <translation>
            <numerusform>The one change that was tried does not help.</numerusform>
            <numerusform>None of %n changes that were tried helps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>PS %1 in %n parts</source>
        <translation>
            <numerusform>PS %1 in %n part</numerusform>
            <numerusform>PS %1 in %n parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What would help, of %n changes that were tried</source>
        <translation>
            <numerusform>What would help; %n change was tried</numerusform>
            <numerusform>What would help, of %n changes that were tried</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n shorter ones</source>
        <translation>
            <numerusform>and %n shorter one</numerusform>
            <numerusform>and %n shorter ones</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>asynchronous, %n workers</source>
        <translation>
            <numerusform>asynchronous, %n worker</numerusform>
            <numerusform>asynchronous, %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reduces %1 (%n variables or parts)</source>
        <translation>
            <numerusform>reduces %1 (%n variable or part)</numerusform>
            <numerusform>reduces %1 (%n variables or parts)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stopped after %n simulations</source>
        <translation>
            <numerusform>stopped after %n simulation</numerusform>
            <numerusform>stopped after %n simulations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>synchronous, %n workers</source>
        <translation>
            <numerusform>synchronous, %n worker</numerusform>
            <numerusform>synchronous, %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first %n rows</source>
        <translation>
            <numerusform>the first row</numerusform>
            <numerusform>the first %n rows</numerusform>
        </translation>
    </message>
</context>
</TS>
