<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Syncopate</name>
    <message>
        <source>
%1 above the lower bound</source>
        <translation>
%1 über der unteren Schranke</translation>
    </message>
    <message>
        <source>
%1 of %2 proposals rejected by their score</source>
        <translation>
%1 von %2 Vorschlägen nach ihrer Wertung verworfen</translation>
    </message>
    <message>
        <source>
%1 of pairs in the judge's order: of the ranker's first third %2, of the second %3, of the last %4</source>
        <translation>
%1 der Paare in der Reihenfolge der Beurteilung: im zuerst gereihten Drittel %2, im nächsten %3, im letzten %4</translation>
    </message>
    <message>
        <source>
%1 of the fastest quarter found</source>
        <translation>
%1 des schnellsten Viertels gefunden</translation>
    </message>
    <message>
        <source>
the schedule does not repeat: its iteration is a mean, or a bound if that is longer</source>
        <translation>
der Ablauf wiederholt sich nicht: Seine Iteration ist ein Mittelwert, oder eine Schranke, wenn diese länger ist</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> % of the first</source>
        <translation> % des ersten</translation>
    </message>
    <message>
        <source> (%1 against tuned)</source>
        <translation> (%1 gegen abgestimmte)</translation>
    </message>
    <message>
        <source> (%1 of them have no recorded size)</source>
        <translation> (%1 von ihnen haben keine aufgezeichnete Größe)</translation>
    </message>
    <message>
        <source> (nothing is synchronised in it)</source>
        <translation> (nichts darin wird synchronisiert)</translation>
    </message>
    <message>
        <source> (the list is not in the model's order: names of equal shapes may be exchanged)</source>
        <translation> (die Liste ist nicht in der Reihenfolge des Modells: Namen gleicher Formen können vertauscht sein)</translation>
    </message>
    <message>
        <source> / h</source>
        <translation> / h</translation>
    </message>
    <message>
        <source> Gbit/s</source>
        <translation> Gbit/s</translation>
    </message>
    <message>
        <source> One rank synchronises with no other: add workers, or choose a cluster.</source>
        <translation> Ein Rang gleicht sich mit keinem anderen ab: Fügen Sie Worker hinzu oder wählen Sie einen Cluster.</translation>
    </message>
    <message>
        <source> ahead</source>
        <translation> voraus</translation>
    </message>
    <message>
        <source> evals</source>
        <translation> Ausw.</translation>
    </message>
    <message>
        <source> evaluations</source>
        <translation> Auswertungen</translation>
    </message>
    <message>
        <source> iterations</source>
        <translation> Iterationen</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> auf %1</translation>
    </message>
    <message>
        <source> sample</source>
        <translation> Sample</translation>
    </message>
    <message>
        <source> samples</source>
        <translation> Samples</translation>
    </message>
    <message>
        <source> servers</source>
        <translation> Server</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> Schritte</translation>
    </message>
    <message>
        <source> trials</source>
        <translation> Versuche</translation>
    </message>
    <message>
        <source> · %1 above the lower bound %2</source>
        <translation> · %1 über der unteren Schranke %2</translation>
    </message>
    <message>
        <source> · %1 against %2</source>
        <translation> · %1 gegenüber %2</translation>
    </message>
    <message>
        <source> · as fast as %1</source>
        <translation> · so schnell wie %1</translation>
    </message>
    <message>
        <source> · as fast as the compute alone</source>
        <translation> · so schnell wie das Rechnen allein</translation>
    </message>
    <message>
        <source> · at most %1 to gain</source>
        <translation> · höchstens %1 zu gewinnen</translation>
    </message>
    <message>
        <source> · hit rate %1</source>
        <translation> · Trefferquote %1</translation>
    </message>
    <message>
        <source> · holds %1, more than the %2 allowed</source>
        <translation> · hält %1, mehr als die erlaubten %2</translation>
    </message>
    <message>
        <source> · its schedule does not repeat</source>
        <translation> · sein Ablauf wiederholt sich nicht</translation>
    </message>
    <message>
        <source> · no builder is better tuned</source>
        <translation> · kein Builder ist abgestimmt besser</translation>
    </message>
    <message>
        <source> · of %1 edges only those of the critical path and of the selected op are drawn</source>
        <translation> · von %1 Kanten sind die des kritischen Pfads und die der ausgewählten Op gezeichnet</translation>
    </message>
    <message>
        <source> · of A before the knobs were turned</source>
        <translation> · von A vor dem Drehen der Regler</translation>
    </message>
    <message>
        <source> · of another job</source>
        <translation> · von einem anderen Job</translation>
    </message>
    <message>
        <source> · tuning the builders…</source>
        <translation> · die Builder werden abgestimmt…</translation>
    </message>
    <message>
        <source>%1
%2; %3</source>
        <translation>%1
%2; %3</translation>
    </message>
    <message>
        <source>%1
A: %2, B: %3, difference %4</source>
        <translation>%1
A: %2, B: %3, Differenz %4</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 % %2</source>
        <translation>%1 % %2</translation>
    </message>
    <message>
        <source>%1 % above</source>
        <translation>%1 % darüber</translation>
    </message>
    <message>
        <source>%1 % above the bound</source>
        <translation>%1 % über der Schranke</translation>
    </message>
    <message>
        <source>%1 % behind</source>
        <translation>%1 % zurück</translation>
    </message>
    <message>
        <source>%1 % from the next start on</source>
        <translation>%1 % ab dem nächsten Start</translation>
    </message>
    <message>
        <source>%1 % less time with %2</source>
        <translation>%1 % weniger Zeit mit %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 % of its lanes are busy, %n transfers; the first:</source>
        <translation>
            <numerusform>%1 % seiner Spuren sind beschäftigt, %n Übertragung:</numerusform>
            <numerusform>%1 % seiner Spuren sind beschäftigt, %n Übertragungen, davon die erste:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 % of the link's rate, %n transfers; the first:</source>
        <translation>
            <numerusform>%1 % der Rate der Verbindung, %n Übertragung:</numerusform>
            <numerusform>%1 % der Rate der Verbindung, %n Übertragungen, davon die erste:</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>%1 %2 % of the critical path%3</source>
        <translation>%1: %2 % des kritischen Pfads%3</translation>
    </message>
    <message>
        <source>%1 %2 with %3 elements</source>
        <translation>%1 %2 mit %3 Elementen</translation>
    </message>
    <message>
        <source>%1 %2 · compute idle %3</source>
        <translation>%1 %2 · Rechenleerlauf %3</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>%1 %2 → %3 (median error %4 %)</source>
        <translation>%1 %2 → %3 (Medianfehler %4 %)</translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <translation>%1 (%2 %)</translation>
    </message>
    <message>
        <source>%1 (%2 a step, steps %3, ranks %4)</source>
        <translation>%1 (%2 je Schritt, Schritte %3, Ränge %4)</translation>
    </message>
    <message>
        <source>%1 (%2 of it waiting for the host)</source>
        <translation>%1 (davon Warten auf den Host %2)</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1 (bearbeitet)</translation>
    </message>
    <message>
        <source>%1 AccumulateGrad calls had no gradient to add: no variable stands for them.</source>
        <translation>%1 Aufrufe von AccumulateGrad hatten keinen Gradienten: Keine Variable steht für sie.</translation>
    </message>
    <message>
        <source>%1 Gbit/s</source>
        <translation>%1 Gbit/s</translation>
    </message>
    <message>
        <source>%1 Gbit/s %2, as no recorded collective shows it.</source>
        <translation>%1 Gbit/s %2, da kein aufgezeichnetes Kollektiv sie zeigt.</translation>
    </message>
    <message>
        <source>%1 Gbit/s %2, as the recorded gradient all-reduces show %3 Gbit/s, which is no plausible rate.</source>
        <translation>%1 Gbit/s %2, da die aufgezeichneten All-Reduces von Gradienten %3 Gbit/s zeigen, was keine plausible Rate ist.</translation>
    </message>
    <message>
        <source>%1 NICs, together %2, each direction; loads are those of the first</source>
        <translation>%1 Netzkarten, zusammen %2 je Richtung; die Last ist die der ersten</translation>
    </message>
    <message numerus="yes">
        <source>%1 a step on %n nodes</source>
        <translation>
            <numerusform>%1 je Schritt auf %n Knoten</numerusform>
            <numerusform>%1 je Schritt auf %n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 against the best builder</source>
        <translation>%1 gegenüber dem besten Builder</translation>
    </message>
    <message>
        <source>%1 all-reduce groups join several variables, and %2 %3</source>
        <translation>%1 All-Reduce-Gruppen verbinden mehrere Variablen, und %2 %3</translation>
    </message>
    <message>
        <source>%1 among %2</source>
        <translation>%1 unter %2</translation>
    </message>
    <message>
        <source>%1 among %2, %3 apart</source>
        <translation>%1 unter %2, im Abstand %3</translation>
    </message>
    <message>
        <source>%1 an iteration</source>
        <translation>%1 je Iteration</translation>
    </message>
    <message>
        <source>%1 an iteration ahead</source>
        <translation>%1 eine Iteration voraus</translation>
    </message>
    <message>
        <source>%1 an iteration back</source>
        <translation>%1 eine Iteration zurück</translation>
    </message>
    <message>
        <source>%1 an iteration, %2 %3, %4</source>
        <translation>%1 je Iteration, %2 %3, %4</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 are on %2, which the cluster does not have</source>
        <translation>%1 liegen auf %2, das der Cluster nicht hat</translation>
    </message>
    <message>
        <source>%1 as %2 on %3</source>
        <translation>%1 als %2 auf %3</translation>
    </message>
    <message>
        <source>%1 as A</source>
        <translation>%1 als A</translation>
    </message>
    <message>
        <source>%1 as B</source>
        <translation>%1 als B</translation>
    </message>
    <message>
        <source>%1 backward ops were paired with forward ops of their kind, last with first; kernels belong to the op of the host that they depend on.</source>
        <translation>%1 Ops des Rückwärtslaufs wurden mit Ops des Vorwärtslaufs gleicher Art gepaart, die letzte mit der ersten; Kernel gehören zur Op des Hosts, von der sie abhängen.</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>%1 ist nicht lesbar.</translation>
    </message>
    <message>
        <source>%1 carries %2, %3 times the mean of %4 servers%5</source>
        <translation>%1 trägt %2, das %3-Fache des Mittels von %4 Servern%5</translation>
    </message>
    <message>
        <source>%1 carries %2, where the mean is %3, on %4 Gbit/s; others have %5 Gbit/s</source>
        <translation>%1 trägt %2 bei einem Mittel von %3 und %4 Gbit/s; andere haben %5 Gbit/s</translation>
    </message>
    <message>
        <source>%1 collectives of the measured step are planned: %2. Their times follow from the channels or measured curves, not from the profile.</source>
        <translation>%1 Kollektive des gemessenen Schritts werden geplant: %2. Was sie dauern, folgt aus den Kanälen oder gemessenen Kurven, nicht aus dem Profil.</translation>
    </message>
    <message>
        <source>%1 collectives take %2, %3 of it (%4 %) hidden under compute</source>
        <translation>%1 Kollektive dauern %2, davon %3 (%4 %) durch Rechnen verdeckt</translation>
    </message>
    <message>
        <source>%1 collectives were called by ops, but no kernel or transfer of them was recorded: %2 over all steps. %3</source>
        <translation>%1 Kollektive wurden von Ops aufgerufen, aber kein Kernel und keine Übertragung davon wurde aufgezeichnet: %2 über alle Schritte. %3</translation>
    </message>
    <message>
        <source>%1 collectives were found on two ranks or more. Their ends align the clocks, which were up to %2 apart; after that the ends differ by %3 (median).</source>
        <translation>%1 Kollektive fanden sich auf zwei Rängen oder mehr. Ihre Enden gleichen die Uhren ab, die bis zu %2 auseinander waren; danach unterscheiden sich die Enden um %3 (Median).</translation>
    </message>
    <message>
        <source>%1 compressions, from %2</source>
        <translation>%1 Kompressionen, ab %2</translation>
    </message>
    <message>
        <source>%1 control dependencies are left out: with the data dependencies they form a cycle.</source>
        <translation>%1 Steuerabhängigkeiten sind weggelassen: Mit den Datenabhängigkeiten bilden sie einen Kreis.</translation>
    </message>
    <message>
        <source>%1 decompressions, from %2</source>
        <translation>%1 Dekompressionen, ab %2</translation>
    </message>
    <message>
        <source>%1 dependencies name nodes that are not in the file.</source>
        <translation>%1 Abhängigkeiten nennen Knoten, die nicht in der Datei sind.</translation>
    </message>
    <message>
        <source>%1 depends on a node that started later</source>
        <translation>%1 hängt von später Gestartetem ab</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 Geräte</translation>
    </message>
    <message>
        <source>%1 does not differ from %2.</source>
        <translation>%1 unterscheidet sich nicht von %2.</translation>
    </message>
    <message>
        <source>%1 dragged</source>
        <translation>%1 gezogen</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>%1 früher</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>%1 events have no readable time and were left out.</source>
        <translation>%1 Ereignisse haben keine lesbare Zeit und wurden weggelassen.</translation>
    </message>
    <message>
        <source>%1 events in %2 of text%3, %4 kept as ops, annotations, launches, kernels and copies.</source>
        <translation>%1 Ereignisse in %2 Text%3, davon %4 als Ops, Annotationen, Starts, Kernel und Kopien behalten.</translation>
    </message>
    <message>
        <source>%1 events in %2 of text; the job's step has %3 ops on %4 devices and streams.</source>
        <translation>%1 Ereignisse in %2 Text; der Schritt des Jobs hat %3 Ops auf %4 Geräten und Streams.</translation>
    </message>
    <message>
        <source>%1 events refer to names that were lost, and are left out.</source>
        <translation>%1 Ereignisse beziehen sich auf verlorene Namen und sind weggelassen.</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 für %2</translation>
    </message>
    <message>
        <source>%1 found by name (%2 of the profile's), %3 of the profile are not in the list%4, %5 of the list are not in the profile.</source>
        <translation>%1 nach Namen gefunden (%2 derer des Profils), %3 des Profils stehen nicht in der Liste%4, %5 der Liste nicht im Profil.</translation>
    </message>
    <message>
        <source>%1 from record_param_comms with the same external id</source>
        <translation>%1 aus record_param_comms mit derselben External-Id</translation>
    </message>
    <message>
        <source>%1 from the annotation's input shapes</source>
        <translation>%1 aus den Eingabeformen der Annotation</translation>
    </message>
    <message>
        <source>%1 from the collective's op around the launch</source>
        <translation>%1 aus der Op des Kollektivs um den Start</translation>
    </message>
    <message>
        <source>%1 from the kernel's own metadata</source>
        <translation>%1 aus den Metadaten des Kernels selbst</translation>
    </message>
    <message>
        <source>%1 gradient collectives have no recorded size and are left out of the variables.</source>
        <translation>%1 Gradientenkollektive haben keine aufgezeichnete Größe und fehlen unter den Variablen.</translation>
    </message>
    <message>
        <source>%1 gradient collectives with %2 elements (taken as float32) stand for the variables; %3 have no size, %4 other collectives are left out of the job.</source>
        <translation>%1 Gradientenkollektive mit %2 Elementen (als float32 genommen) stehen für die Variablen; %3 haben keine Größe, %4 andere Kollektive fehlen im Job.</translation>
    </message>
    <message>
        <source>%1 gradient collectives with %2 elements were lifted out of the step: their time is not compute. Sizes of the profile's %3 collectives: %4.</source>
        <translation>%1 Gradientenkollektive mit %2 Elementen wurden aus dem Schritt herausgelöst: Ihre Zeit ist keine Rechenzeit. Größen der %3 Kollektive des Profils: %4.</translation>
    </message>
    <message>
        <source>%1 has %2 series: choose the one of this curve.</source>
        <translation>%1 hat %2 Reihen: Wählen Sie die dieser Kurve.</translation>
    </message>
    <message>
        <source>%1 has both kinds of quotes: an expression can have one of them</source>
        <translation>%1 enthält beide Arten von Anführungszeichen: Ein Ausdruck kann nur eine davon enthalten</translation>
    </message>
    <message>
        <source>%1 host copies, from %2</source>
        <translation>%1 Host-Kopien, ab %2</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in %2 parts for %3 servers, whose mean load is %4</source>
        <translation>%1 in %2 Teilen für %3 Server, deren mittlere Last %4 ist</translation>
    </message>
    <message>
        <source>%1 in which %2 neither computed nor communicated count to the layer before: waiting for the host, a gap after that layer in a simulation. Starts and durations are whole microseconds, so gaps of up to one between ops are rounding.</source>
        <translation>%1, in denen %2 weder rechnete noch kommunizierte, zählen zur Schicht davor: Warten auf den Host, in einer Simulation eine Lücke nach dieser Schicht. Startzeiten und Dauern sind ganze Mikrosekunden, also sind Lücken bis zu einer zwischen Ops Rundung.</translation>
    </message>
    <message>
        <source>%1 input nodes with %2 of data loading are left out of compute.</source>
        <translation>%1 Eingabeknoten mit %2 Laden von Daten zählen nicht zum Rechnen.</translation>
    </message>
    <message>
        <source>%1 inputs name ops that were not recorded before their reader (fed, or inserted transfers).</source>
        <translation>%1 Eingaben nennen Ops, die nicht vor ihrem Leser aufgezeichnet wurden (zugeführte oder eingefügte Übertragungen).</translation>
    </message>
    <message>
        <source>%1 instants and counter values are not shown.</source>
        <translation>%1 Zeitpunkte und Zählerwerte werden nicht gezeigt.</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>%1 is beyond the slider's end, %2.</source>
        <translation>%1 liegt jenseits des Schieberendes, %2.</translation>
    </message>
    <message>
        <source>%1 is busy %2 %</source>
        <translation>%1 ist zu %2 % beschäftigt</translation>
    </message>
    <message>
        <source>%1 is one of the traces and stays as it is: choose another name</source>
        <translation>%1 ist einer der Traces und bleibt, wie er ist: Wählen Sie einen anderen Namen</translation>
    </message>
    <message>
        <source>%1 is planned for the cluster %2, on both sides; choose planners and cluster among the knobs.</source>
        <translation>%1 ist auf beiden Seiten für den Cluster %2 geplant; Planer und Cluster stehen bei den Reglern.</translation>
    </message>
    <message>
        <source>%1 is the cluster of the next profile, job file or catalogue job that is opened.</source>
        <translation>%1 ist der Cluster dessen, was als Nächstes geöffnet wird: ein Profil, eine Job-Datei oder ein Job des Katalogs.</translation>
    </message>
    <message>
        <source>%1 is the same as %2</source>
        <translation>%1 ist dasselbe wie %2</translation>
    </message>
    <message>
        <source>%1 is too large for a table of conditions.</source>
        <translation>%1 ist zu groß für eine Tabelle von Bedingungen.</translation>
    </message>
    <message>
        <source>%1 iterations are unrolled.</source>
        <translation>%1 Iterationen sind abgerollt.</translation>
    </message>
    <message>
        <source>%1 kernels and copies have no recorded launch: shown, but in no step.</source>
        <translation>%1 Kernel und Kopien haben keinen aufgezeichneten Start: gezeigt, aber in keinem Schritt.</translation>
    </message>
    <message>
        <source>%1 kernels continue a collective that began with another: its size counts once.</source>
        <translation>%1 Kernel setzen ein Kollektiv fort, das mit einem anderen begann: Seine Größe zählt einmal.</translation>
    </message>
    <message>
        <source>%1 kernels depend on no op of the host: shown, but in no layer.</source>
        <translation>%1 Kernel hängen von keiner Op des Hosts ab: gezeigt, aber in keiner Schicht.</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>%1 später</translation>
    </message>
    <message>
        <source>%1 layers: one for each forward op that owns parameters (by its name); their parents follow the data dependencies.</source>
        <translation>%1 Schichten: eine für jede Op des Vorwärtslaufs, die (dem Namen nach) Parameter besitzt; ihre Eltern folgen den Datenabhängigkeiten.</translation>
    </message>
    <message>
        <source>%1 layers: one for each forward op that reads trainable variables not read before, joined by the ops that follow in its scope or read none; their parents follow the recorded inputs. An op in a gradients scope belongs to the layer of the op that it differentiates.</source>
        <translation>%1 Schichten: eine für jede Op des Vorwärtslaufs, die trainierbare Variablen als erste liest, mit dem, was in ihrem Scope folgt oder keine liest; ihre Eltern folgen den aufgezeichneten Eingaben. Eine Op in einem Gradienten-Scope gehört zur Schicht der Op, die sie ableitet.</translation>
    </message>
    <message>
        <source>%1 layers: one for each op whose backward node completes gradients (%2 of them, %3 autograd nodes); ops without variables belong to the layer before them in forward order.</source>
        <translation>%1 Schichten: eine für jede Op, deren Rückwärtsknoten Gradienten vervollständigt (%2 davon, %3 Autograd-Knoten); Ops ohne Variablen gehören zur Schicht vor ihnen in der Reihenfolge des Vorwärtslaufs.</translation>
    </message>
    <message>
        <source>%1 microseconds of one-way latency, and the nodes' addresses.</source>
        <translation>%1 Mikrosekunden Latenz je Richtung und die Adressen der Knoten.</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 negative durations were taken as 0.</source>
        <translation>%1 negative Dauern wurden als 0 genommen.</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1 nodes and %2 edges in %3 of text (PipeDream layer profile): forward %4, backward %5, parameters of %6.</source>
        <translation>%1 Knoten und %2 Kanten in %3 Text (Schichtenprofil von PipeDream): vorwärts %4, rückwärts %5, Parameter von %6.</translation>
    </message>
    <message>
        <source>%1 nodes are selected.</source>
        <translation>%1 Knoten sind gewählt.</translation>
    </message>
    <message>
        <source>%1 nodes have no start time. The format does not write a start of 0, but not all of them can have started at 0: %2.</source>
        <translation>%1 Knoten haben keine Startzeit. Das Format schreibt einen Start bei 0 nicht, aber nicht alle von ihnen können bei 0 gestartet sein: %2.</translation>
    </message>
    <message>
        <source>%1 node·s</source>
        <translation>%1 Knoten·s</translation>
    </message>
    <message>
        <source>%1 not recorded</source>
        <translation>%1 nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 a process, among %3</source>
        <translation>%1 von %2 je Prozess, unter %3</translation>
    </message>
    <message>
        <source>%1 of %2 groups are smaller than %3: latency, not bandwidth, bounds them</source>
        <translation>%1 von %2 Gruppen sind kleiner als %3: Latenz, nicht Bandbreite, begrenzt sie</translation>
    </message>
    <message>
        <source>%1 of %2 in %3</source>
        <translation>%1 von %2 in %3</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 von %2 Punkten</translation>
    </message>
    <message>
        <source>%1 of %2 simulations…</source>
        <translation>%1 von %2 Simulationen…</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 trials/s · %4 left</source>
        <translation>%1 von %2 · %3 Versuche/s · noch %4</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 of %2…</source>
        <translation>%1 von %2…</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n tuners</source>
        <translation>
            <numerusform>%1 von %n Tuner</numerusform>
            <numerusform>%1 von %n Tunern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of a sample</source>
        <translation>%1 je Sample</translation>
    </message>
    <message>
        <source>%1 of a step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>%1 of a worker's step</source>
        <translation>%1 je Schritt eines Workers</translation>
    </message>
    <message>
        <source>%1 of the %2 complete steps have the job's layers: their durations are kept as samples.</source>
        <translation>%1 der %2 vollständigen Schritte haben die Schichten des Jobs: Ihre Dauern bleiben als Stichproben.</translation>
    </message>
    <message>
        <source>%1 of the %2 steps have the job's layers: their durations are kept as samples.</source>
        <translation>%1 der %2 Schritte haben die Schichten des Jobs: Ihre Dauern bleiben als Stichproben.</translation>
    </message>
    <message>
        <source>%1 of the best %2 %3</source>
        <translation>%1 der %2 besten %3</translation>
    </message>
    <message>
        <source>%1 of the best %2 %3 (%4 % of the others)</source>
        <translation>%1 der %2 besten %3 (%4 % der übrigen)</translation>
    </message>
    <message>
        <source>%1 of the profile's %2 variables (%3) have a shape of the list and got its names, the k-th of a shape the k-th name%4; %5 of the list have no partner.</source>
        <translation>%1 der %2 Variablen des Profils (%3) haben eine Form der Liste und bekamen deren Namen, die k-te einer Form den k-ten Namen%4; %5 der Liste haben keinen Partner.</translation>
    </message>
    <message>
        <source>%1 of the step in which %2 only waited for communication are left out of the layers: the simulated strategy puts its own there.</source>
        <translation>%1 des Schritts, in denen %2 nur auf Kommunikation wartete, fehlen in den Schichten: Die simulierte Strategie setzt dort ihre eigene ein.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 on %2 with %3</source>
        <translation>%1 auf %2 (%3)</translation>
    </message>
    <message>
        <source>%1 on %2 with %3 each%4</source>
        <translation>%1 auf %2 (je %3)%4</translation>
    </message>
    <message>
        <source>%1 on %2 with %3, %4</source>
        <translation>%1 auf %2 (%3), %4</translation>
    </message>
    <message>
        <source>%1 on %2 with up to %3 each%4</source>
        <translation>%1 auf %2 (je bis zu %3)%4</translation>
    </message>
    <message>
        <source>%1 on %2 without accelerators%3</source>
        <translation>%1 auf %2 ohne Beschleuniger%3</translation>
    </message>
    <message numerus="yes">
        <source>%1 on %n servers, at most %2 on one</source>
        <translation>
            <numerusform>%1 auf %n Server, höchstens %2 auf einem</numerusform>
            <numerusform>%1 auf %n Servern, höchstens %2 auf einem</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on cluster %2</source>
        <translation>%1 auf Cluster %2</translation>
    </message>
    <message>
        <source>%1 on the shared cluster</source>
        <translation>%1 auf dem gemeinsamen Cluster</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>%1 other collectives of the step (broadcasts of buffers, all-to-all, ...) are neither compute nor gradient traffic and are left out of the job; `plan` keeps those that it can plan.</source>
        <translation>%1 andere Kollektive des Schritts (Broadcasts von Puffern, All-to-All, ...) sind weder Rechnen noch Gradientenverkehr und fehlen im Job; `plan` behält die, die es planen kann.</translation>
    </message>
    <message>
        <source>%1 other files were left unread: %2%3.</source>
        <translation>%1 andere Dateien wurden nicht gelesen: %2%3.</translation>
    </message>
    <message>
        <source>%1 packets are compressed with zstd, which is not read.</source>
        <translation>%1 Pakete sind mit zstd komprimiert, das nicht gelesen wird.</translation>
    </message>
    <message>
        <source>%1 partitioned, %2, %3</source>
        <translation>%1 partitioniert, %2, %3</translation>
    </message>
    <message>
        <source>%1 parts in all, each with messages of its own</source>
        <translation>insgesamt %1 Teile, jeder mit eigenen Nachrichten</translation>
    </message>
    <message numerus="yes">
        <source>%1 plans… %n evaluations</source>
        <translation>
            <numerusform>%1 plant… %n Auswertung</numerusform>
            <numerusform>%1 plant… %n Auswertungen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 pp</source>
        <translation>%1 PP</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ränge</translation>
    </message>
    <message>
        <source>%1 ranks against %2: ops are means over the ranks, streams are per rank.</source>
        <translation>%1 Ränge gegen %2: Ops sind Mittel über die Ränge, Streams gehören zu je einem Rang.</translation>
    </message>
    <message>
        <source>%1 ranks share no collective with the others: their clocks stay as recorded.</source>
        <translation>%1 Ränge haben kein Kollektiv mit den anderen gemeinsam: Ihre Uhren bleiben wie aufgezeichnet.</translation>
    </message>
    <message>
        <source>%1 ranks%2, %3 events in all; the notes that follow are of rank %4.</source>
        <translation>%1 Ränge%2, zusammen %3 Ereignisse; was folgt, ist von Rang %4.</translation>
    </message>
    <message>
        <source>%1 recorded steps of %2 ops are sampled with replacement: %3 transfers down, %4 up.</source>
        <translation>%1 aufgezeichnete Schritte mit %2 Ops werden mit Zurücklegen gezogen: %3 Übertragungen herunter, %4 hinauf.</translation>
    </message>
    <message>
        <source>%1 recorded steps of the profile are sampled with replacement.</source>
        <translation>%1 aufgezeichnete Schritte des Profils werden mit Zurücklegen gezogen.</translation>
    </message>
    <message numerus="yes">
        <source>%1 reduces %2 (%n variables or parts), %3 of the mean</source>
        <translation>
            <numerusform>%1 reduziert %2 (%n Variable oder Teil), %3 des Mittels</numerusform>
            <numerusform>%1 reduziert %2 (%n Variablen oder Teile), %3 des Mittels</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 saved per iteration with 1 Gbit/s more</source>
        <translation>%1 je Iteration gespart mit 1 Gbit/s mehr</translation>
    </message>
    <message>
        <source>%1 segments</source>
        <translation>%1 Segmente</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 Server</translation>
    </message>
    <message>
        <source>%1 simulated… </source>
        <translation>%1 simuliert… </translation>
    </message>
    <message>
        <source>%1 slices had not ended when the trace did.</source>
        <translation>%1 Slices waren am Ende des Traces nicht beendet.</translation>
    </message>
    <message>
        <source>%1 slower than the fastest</source>
        <translation>%1 langsamer als die schnellste</translation>
    </message>
    <message>
        <source>%1 spans</source>
        <translation>%1 Abschnitte</translation>
    </message>
    <message>
        <source>%1 spans have no usable time and are left out.</source>
        <translation>%1 Abschnitte haben keine brauchbare Zeit und sind weggelassen.</translation>
    </message>
    <message>
        <source>%1 splines</source>
        <translation>%1 Splines</translation>
    </message>
    <message>
        <source>%1 stay whole: the builders split along dimension 0, which is 1</source>
        <translation>%1 bleiben ganz: Die Builder teilen entlang Dimension 0, und die ist 1</translation>
    </message>
    <message>
        <source>%1 steps are marked by ProfilerStep annotations.</source>
        <translation>%1 Schritte sind durch ProfilerStep-Annotationen markiert.</translation>
    </message>
    <message>
        <source>%1 steps with other ops than the first are left out.</source>
        <translation>%1 Schritte mit anderen Ops als der erste sind weggelassen.</translation>
    </message>
    <message>
        <source>%1 takes the time measured with %2 ranks; it holds its channel, not the links.</source>
        <translation>%1 dauert so lange wie mit %2 Rängen gemessen; es belegt seinen Kanal, nicht die Links.</translation>
    </message>
    <message>
        <source>%1 tensors of the list are not trained (statistics, counters, optimizer slots, integers).</source>
        <translation>%1 Tensoren der Liste werden nicht trainiert (Statistiken, Zähler, Slots des Optimierers, ganze Zahlen).</translation>
    </message>
    <message>
        <source>%1 tensors received by the worker and %2 by servers are communication, %3 of which %4 were exposed, and left out of the job.</source>
        <translation>%1 vom Worker und %2 von Servern empfangene Tensoren sind Kommunikation, %3, davon %4 unverdeckt, und fehlen im Job.</translation>
    </message>
    <message>
        <source>%1 timelines, each a step.</source>
        <translation>%1 Zeitachsen, jede ein Schritt.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
    <message>
        <source>%1 to %2 %3 under the other conditions</source>
        <translation>%1 bis %2 %3 unter den anderen Bedingungen</translation>
    </message>
    <message>
        <source>%1 trainable variables have names but no sizes: a timeline records them only with show_memory=True. A list of them adds the sizes (the explorer's Attach sizes, the command line's --variables); without it nothing will be synchronised in a simulation of this job.</source>
        <translation>%1 trainierbare Variablen haben Namen, aber keine Größen: Eine Zeitachse zeichnet sie nur mit show_memory=True auf. Eine Liste von ihnen ergänzt die Größen (Größen hinzufügen im Explorer, --variables in der Befehlszeile); ohne sie wird in einer Simulation dieses Jobs nichts abgeglichen.</translation>
    </message>
    <message>
        <source>%1 trainable variables with %2 elements, by their recorded bytes, taken as float32.</source>
        <translation>%1 trainierbare Variablen mit %2 Elementen, nach ihren aufgezeichneten Bytes, als float32 genommen.</translation>
    </message>
    <message>
        <source>%1 valleys: going downhill may end in the wrong one</source>
        <translation>%1 Täler: Bergab kann man im falschen landen</translation>
    </message>
    <message>
        <source>%1 variables or parts are reduced by two collectives, and %2 all-reduces its buckets</source>
        <translation>%1 Variablen oder Teile werden durch zwei Kollektive reduziert, und %2 reduziert mit All-Reduce, was es verschmilzt</translation>
    </message>
    <message>
        <source>%1 variables or parts go through the CPU of a single node</source>
        <translation>%1 Variablen oder Teile laufen durch die CPU eines einzigen Knotens</translation>
    </message>
    <message>
        <source>%1 variables with %2 elements</source>
        <translation>%1 Variablen mit %2 Elementen</translation>
    </message>
    <message>
        <source>%1 variables with %2 elements, one for each AccumulateGrad, with the shapes recorded there (types: %3); their names are made from the layers', since a profile does not record the variables' names.</source>
        <translation>%1 Variablen mit %2 Elementen, eine für jedes AccumulateGrad, mit den dort aufgezeichneten Formen (Typen: %3); ihre Namen sind aus denen der Schichten gemacht, denn ein Profil zeichnet die Namen der Variablen nicht auf.</translation>
    </message>
    <message>
        <source>%1 variables, taken as float32: shapes where a node's description tells them and they make up its parameter_size, else one variable of that size.</source>
        <translation>%1 Variablen, als float32 genommen: Formen, wo die Beschreibung eines Knotens sie nennt und sie seine parameter_size ergeben, sonst eine Variable dieser Größe.</translation>
    </message>
    <message>
        <source>%1 was saved by another program meanwhile</source>
        <translation>%1 wurde inzwischen von einem anderen Programm gespeichert</translation>
    </message>
    <message>
        <source>%1 without a certain gain, or that cannot be simulated</source>
        <translation>%1, die nichts sicher ändern, bremsen oder nicht simulierbar sind</translation>
    </message>
    <message>
        <source>%1 without accelerators%2.</source>
        <translation>%1 ohne Beschleuniger%2.</translation>
    </message>
    <message>
        <source>%1 would have run together with another one on stream %2</source>
        <translation>%1 wäre zugleich mit einem anderen auf Stream %2 gelaufen</translation>
    </message>
    <message>
        <source>%1 would not have ended before the next on stream %2</source>
        <translation>%1 hätte nicht vor dem nächsten auf Stream %2 geendet</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 · from %3, takes %4</source>
        <translation>%1 · %2 · ab %3, dauert %4</translation>
    </message>
    <message>
        <source>%1 · exposed %2</source>
        <translation>%1 · unverdeckt %2</translation>
    </message>
    <message>
        <source>%1 · idle %2</source>
        <translation>%1 · Leerlauf %2</translation>
    </message>
    <message>
        <source>%1 · running</source>
        <translation>%1 · läuft</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 – Syncopate</source>
        <translation>%1 – Syncopate</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 an iteration, against %3:</source>
        <translation>%1, %2 je Iteration, gegenüber %3:</translation>
    </message>
    <message>
        <source>%1, %2 on the node of the recorded process%3.</source>
        <translation>%1, %2 auf dem Knoten des aufgezeichneten Prozesses%3.</translation>
    </message>
    <message>
        <source>%1, %2: %3; %4</source>
        <translation>%1, %2: %3; %4</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n processes</source>
        <translation>
            <numerusform>%1, %n Prozess</numerusform>
            <numerusform>%1, %n Prozesse</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, as every device that the recorded process saw on its node holds a rank.</source>
        <translation>%1, da jedes Gerät, das der aufgezeichnete Prozess auf seinem Knoten sah, einen Rang hält.</translation>
    </message>
    <message>
        <source>%1, as every rank has a node of its own.</source>
        <translation>%1, da jeder Rang einen eigenen Knoten hat.</translation>
    </message>
    <message>
        <source>%1, as one strip: its height is its transfers' share of the link; up to %2 of them overlap
T or ▸ to see each transfer. </source>
        <translation>%1, als ein Streifen: Seine Höhe ist der Anteil der Verbindung, den seine Übertragungen belegen; bis zu %2 überlappen sich
T oder ▸ zeigt jede Übertragung. </translation>
    </message>
    <message>
        <source>%1, band %2 to %3. Worth benchmarking: %4</source>
        <translation>%1, Band %2 bis %3. Einen Benchmark wert: %4</translation>
    </message>
    <message>
        <source>%1, batch %2 a GPU, float32 on NVIDIA T4; %3, times from FLOPs at %4 TFLOP/s</source>
        <translation>%1, Batch %2 je GPU, float32 auf NVIDIA T4; %3, Zeiten aus FLOPs bei %4 TFLOP/s</translation>
    </message>
    <message>
        <source>%1, both ways</source>
        <translation>%1, beide Richtungen</translation>
    </message>
    <message>
        <source>%1, by its figures</source>
        <translation>%1, nach seinen Werten</translation>
    </message>
    <message>
        <source>%1, from the host</source>
        <translation>%1, vom Host</translation>
    </message>
    <message>
        <source>%1, in order, meet the bounds of all %2 gradient buckets; within a bucket the modules are spread evenly over its layers.</source>
        <translation>%1 treffen der Reihe nach die Grenzen aller %2 Gradienten-Buckets; innerhalb eines Buckets sind die Module gleichmäßig auf seine Schichten verteilt.</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1, gemessen</translation>
    </message>
    <message>
        <source>%1, not planned yet</source>
        <translation>%1, noch nicht geplant</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1, auf %2</translation>
    </message>
    <message>
        <source>%1, or beyond</source>
        <translation>%1, oder jenseits davon</translation>
    </message>
    <message>
        <source>%1, shift %2</source>
        <translation>%1, Verschiebung %2</translation>
    </message>
    <message>
        <source>%1, simulating…</source>
        <translation>%1, Simulation läuft…</translation>
    </message>
    <message>
        <source>%1, to be edited</source>
        <translation>%1, zum Bearbeiten</translation>
    </message>
    <message>
        <source>%1, to the host</source>
        <translation>%1, zum Host</translation>
    </message>
    <message>
        <source>%1, under every condition. Worth benchmarking: %2</source>
        <translation>%1, unter allen Bedingungen. Einen Benchmark wert: %2</translation>
    </message>
    <message>
        <source>%1, × %2</source>
        <translation>%1, × %2</translation>
    </message>
    <message>
        <source>%1. Drag over a timeline to select.</source>
        <translation>%1. Zum Auswählen über eine Zeitachse ziehen.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 % of the time</source>
        <translation>%1: %2 % der Zeit</translation>
    </message>
    <message>
        <source>%1: %2 an iteration</source>
        <translation>%1: %2 je Iteration</translation>
    </message>
    <message>
        <source>%1: %2 an iteration, %3 exposed</source>
        <translation>%1: %2 je Iteration, %3 unverdeckt</translation>
    </message>
    <message>
        <source>%1: %2 an iteration, compute idle %3</source>
        <translation>%1: %2 je Iteration, Rechenleerlauf %3</translation>
    </message>
    <message>
        <source>%1: %2 instead of %3</source>
        <translation>%1: %2 statt %3</translation>
    </message>
    <message>
        <source>%1: %2 of the list's %3 modules have the name of a layer, which are %4 of the %5 layers that can own variables.</source>
        <translation>%1: %2 der %3 Module der Liste heißen wie eine Schicht, das sind %4 der %5 Schichten, die Variablen besitzen können.</translation>
    </message>
    <message>
        <source>%1: %2 ops%3.</source>
        <translation>%1: %2 Ops%3.</translation>
    </message>
    <message>
        <source>%1: %2 take %3</source>
        <translation>%1: %2 brauchen %3</translation>
    </message>
    <message>
        <source>%1: %2%3, %4 a step</source>
        <translation>%1: %2%3, %4 je Schritt</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>%1: %2, %3 %</source>
        <translation>%1: %2, %3 %</translation>
    </message>
    <message>
        <source>%1: %2; %3</source>
        <translation>%1: %2; %3</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n workers</source>
        <translation>
            <numerusform>%1: %n Worker</numerusform>
            <numerusform>%1: %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: cannot be simulated</source>
        <translation>%1: nicht simulierbar</translation>
    </message>
    <message>
        <source>%1: cannot be simulated: %2</source>
        <translation>%1: nicht simulierbar: %2</translation>
    </message>
    <message>
        <source>%1: iteration %2, overlap %3 %, exposed %4</source>
        <translation>%1: Iteration %2, Überlappung %3 %, unverdeckt %4</translation>
    </message>
    <message>
        <source>%1: measurements on %2 are left out, as no channel begins with them.</source>
        <translation>%1: Was auf %2 gemessen wurde, ist weggelassen, da kein Kanal damit beginnt.</translation>
    </message>
    <message>
        <source>%1: no name is a layer's, but there are as many modules as layers that can own variables (%2), which are paired in order.</source>
        <translation>%1: Kein Name ist der einer Schicht, aber es gibt so viele Module wie Schichten, die Variablen besitzen können (%2); sie sind der Reihe nach gepaart.</translation>
    </message>
    <message>
        <source>%1: not tested</source>
        <translation>%1: nicht geprüft</translation>
    </message>
    <message>
        <source>%1: speeds off by %2 at the median and %3 at the 90 % quantile; %4 of %5 choices within %6 of the best</source>
        <translation>%1: Geschwindigkeiten im Median um %2, im 90-%-Quantil um %3 daneben; %4 von %5 Entscheidungen höchstens %6 langsamer als die beste</translation>
    </message>
    <message>
        <source>%1: “%2” is not a number from %3 to %4</source>
        <translation>%1: „%2“ ist keine Zahl von %3 bis %4</translation>
    </message>
    <message>
        <source>%1:%2 min</source>
        <translation>%1:%2 min</translation>
    </message>
    <message numerus="yes">
        <source>%n all-reduce groups</source>
        <translation>
            <numerusform>%n All-Reduce-Gruppe</numerusform>
            <numerusform>%n All-Reduce-Gruppen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates</source>
        <translation>
            <numerusform>%n Kandidat</numerusform>
            <numerusform>%n Kandidaten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n channels are left out.</source>
        <translation>
            <numerusform>%n Kanal ist weggelassen.</numerusform>
            <numerusform>%n Kanäle sind weggelassen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n collectives</source>
        <translation>
            <numerusform>%n Kollektiv</numerusform>
            <numerusform>%n Kollektive</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n compute-ops</source>
        <translation>
            <numerusform>%n Rechen-Op</numerusform>
            <numerusform>%n Rechen-Ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events</source>
        <translation>
            <numerusform>%n Ereignis</numerusform>
            <numerusform>%n Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events in %1</source>
        <translation>
            <numerusform>%n Ereignis in %1</numerusform>
            <numerusform>%n Ereignisse in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n events recorded</source>
        <translation>
            <numerusform>%n Ereignis aufgezeichnet</numerusform>
            <numerusform>%n Ereignisse aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n iterations: re-tuned %1 %2, once %3, oracle %4</source>
        <translation>
            <numerusform>%n Iteration: neu abgestimmt %1 %2, einmal %3, Orakel %4</numerusform>
            <numerusform>%n Iterationen: neu abgestimmt %1 %2, einmal %3, Orakel %4</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kinds of collectives are left out of the list.</source>
        <translation>
            <numerusform>%n Art von Kollektiven fehlt in der Liste.</numerusform>
            <numerusform>%n Arten von Kollektiven fehlen in der Liste.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs of other policies</source>
        <translation>
            <numerusform>%n Regler einer anderen Policy</numerusform>
            <numerusform>%n Regler anderer Policies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs that plans ignore</source>
        <translation>
            <numerusform>%n Regler, den Pläne ignorieren</numerusform>
            <numerusform>%n Regler, die Pläne ignorieren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n knobs without effect now</source>
        <translation>
            <numerusform>%n Regler jetzt ohne Wirkung</numerusform>
            <numerusform>%n Regler jetzt ohne Wirkung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n layers</source>
        <translation>
            <numerusform>%n Schicht</numerusform>
            <numerusform>%n Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measured curves</source>
        <translation>
            <numerusform>%n gemessene Kurve</numerusform>
            <numerusform>%n gemessene Kurven</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measured points: median error %1 %, worst %2 % (W = %3)</source>
        <translation>
            <numerusform>%n gemessener Punkt: Fehler im Median %1 %, höchstens %2 % (W = %3)</numerusform>
            <numerusform>%n gemessene Punkte: Fehler im Median %1 %, höchstens %2 % (W = %3)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n motifs on %1, %2</source>
        <translation>
            <numerusform>%n Motiv auf %1, %2</numerusform>
            <numerusform>%n Motive auf %1, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n motifs, by hand</source>
        <translation>
            <numerusform>%n Motiv, von Hand</numerusform>
            <numerusform>%n Motive, von Hand</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n Hinweis</numerusform>
            <numerusform>%n Hinweise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them on the critical path</source>
        <translation>
            <numerusform>%n davon auf dem kritischen Pfad</numerusform>
            <numerusform>%n davon auf dem kritischen Pfad</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plans</source>
        <translation>
            <numerusform>%n Plan</numerusform>
            <numerusform>%n Pläne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plans, seed %1</source>
        <translation>
            <numerusform>%n Plan, Startwert %1</numerusform>
            <numerusform>%n Pläne, Startwert %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n Punkt</numerusform>
            <numerusform>%n Punkte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points, each planned anew; a click plans for its setting</source>
        <translation>
            <numerusform>%n Punkt, neu geplant; ein Klick plant für seine Einstellung</numerusform>
            <numerusform>%n Punkte, jeder neu geplant; ein Klick plant für seine Einstellung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points; a click sets the knob</source>
        <translation>
            <numerusform>%n Punkt; ein Klick setzt den Regler</numerusform>
            <numerusform>%n Punkte; ein Klick setzt den Regler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n processes</source>
        <translation>
            <numerusform>%n Prozess</numerusform>
            <numerusform>%n Prozesse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scenarios</source>
        <translation>
            <numerusform>%n Szenario</numerusform>
            <numerusform>%n Szenarien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n servers</source>
        <translation>
            <numerusform>%n Server</numerusform>
            <numerusform>%n Server</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settings</source>
        <translation>
            <numerusform>%n Einstellung</numerusform>
            <numerusform>%n Einstellungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shards</source>
        <translation>
            <numerusform>%n Teil</numerusform>
            <numerusform>%n Teile</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n simulations…</source>
        <translation>
            <numerusform>%n Simulation…</numerusform>
            <numerusform>%n Simulationen…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n spans in the timeline</source>
        <translation>
            <numerusform>%n Abschnitt in der Zeitachse</numerusform>
            <numerusform>%n Abschnitte in der Zeitachse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n spans recorded</source>
        <translation>
            <numerusform>%n Abschnitt aufgezeichnet</numerusform>
            <numerusform>%n Abschnitte aufgezeichnet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trials, seed %1</source>
        <translation>
            <numerusform>%n Versuch, Startwert %1</numerusform>
            <numerusform>%n Versuche, Startwert %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variables</source>
        <translation>
            <numerusform>%n Variable</numerusform>
            <numerusform>%n Variablen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n variables (%1)</source>
        <translation>
            <numerusform>%n Variable (%1)</numerusform>
            <numerusform>%n Variablen (%1)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ways</source>
        <translation>
            <numerusform>%n Art</numerusform>
            <numerusform>%n Arten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workers: %1</source>
        <translation>
            <numerusform>%n Worker: %1</numerusform>
            <numerusform>%n Worker: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;About Syncopate</source>
        <translation>Ü&amp;ber Syncopate</translation>
    </message>
    <message>
        <source>&amp;Align A and B by</source>
        <translation>A und B aus&amp;richten an</translation>
    </message>
    <message>
        <source>&amp;Animations</source>
        <translation>&amp;Animationen</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Backward start</source>
        <translation>Beginn &amp;rückwärts</translation>
    </message>
    <message>
        <source>&amp;Candidates</source>
        <translation>&amp;Kandidaten</translation>
    </message>
    <message>
        <source>&amp;Collapse all workers</source>
        <translation>Alle Worker &amp;zuklappen</translation>
    </message>
    <message>
        <source>&amp;Collapse worker</source>
        <translation>Worker z&amp;uklappen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Compare A/B</source>
        <translation>A/B &amp;vergleichen</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Edit note…</source>
        <translation>Notiz &amp;bearbeiten…</translation>
    </message>
    <message>
        <source>&amp;Expand all workers</source>
        <translation>Alle Worker &amp;aufklappen</translation>
    </message>
    <message>
        <source>&amp;Explain the iteration</source>
        <translation>Iteration &amp;erklären</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Find in the timelines…</source>
        <translation>In den Zeitachsen &amp;finden…</translation>
    </message>
    <message>
        <source>&amp;Fit selection or iteration</source>
        <translation>Auswahl oder Iteration &amp;einpassen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>&amp;Keep this scenario</source>
        <translation>Szenario be&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Lanes</source>
        <translation>&amp;Spuren</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Lock axes</source>
        <translation>Achsen &amp;koppeln</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>&amp;Next of this name</source>
        <translation>&amp;Nächster dieses Namens</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Perspective</source>
        <translation>&amp;Perspektive</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>&amp;Bild</translation>
    </message>
    <message>
        <source>&amp;Pin lane to the top</source>
        <translation>Spur oben &amp;anheften</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>&amp;Planen</translation>
    </message>
    <message>
        <source>&amp;Plan collectives…</source>
        <translation>Kollektive &amp;planen…</translation>
    </message>
    <message>
        <source>&amp;Previous of this name</source>
        <translation>&amp;Voriger dieses Namens</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Read a file…</source>
        <translation>Datei &amp;lesen…</translation>
    </message>
    <message>
        <source>&amp;Remove note</source>
        <translation>Notiz &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Report</source>
        <translation>&amp;Bericht</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>&amp;Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Run search…</source>
        <translation>&amp;Suche starten…</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>Projekt &amp;speichern</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Stop search</source>
        <translation>Suche &amp;anhalten</translation>
    </message>
    <message>
        <source>&amp;Strategy</source>
        <translation>&amp;Strategie</translation>
    </message>
    <message>
        <source>&amp;Swap A and B</source>
        <translation>A und B t&amp;auschen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Topology</source>
        <translation>&amp;Topologie</translation>
    </message>
    <message>
        <source>&amp;Trace</source>
        <translation>&amp;Aufzeichnung</translation>
    </message>
    <message>
        <source>&amp;Tutorial: overlap in two minutes</source>
        <translation>&amp;Einführung: Überlappung in zwei Minuten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Write a note…</source>
        <translation>&amp;Notiz schreiben…</translation>
    </message>
    <message>
        <source>&amp;Zoom to this span</source>
        <translation>Auf diesen Abschnitt &amp;zoomen</translation>
    </message>
    <message>
        <source>'%1' has no field before it</source>
        <translation>vor „%1“ steht kein Feld</translation>
    </message>
    <message>
        <source>'%1' is a number</source>
        <translation>„%1“ ist eine Zahl</translation>
    </message>
    <message>
        <source>'%1' is compared with nothing</source>
        <translation>„%1“ wird mit nichts verglichen</translation>
    </message>
    <message>
        <source>'%1' is not compared with anything</source>
        <translation>„%1“ wird mit nichts verglichen</translation>
    </message>
    <message>
        <source>'%1' is text</source>
        <translation>„%1“ ist ein Text</translation>
    </message>
    <message>
        <source>(predicted − measured) / measured</source>
        <translation>(vorhergesagt − gemessen) / gemessen</translation>
    </message>
    <message>
        <source>(previous value; simulating…)</source>
        <translation>(voriger Wert; Simulation läuft…)</translation>
    </message>
    <message>
        <source>(the %1 longest of %2 causes)</source>
        <translation>(die %1 längsten von %2 Ursachen)</translation>
    </message>
    <message>
        <source>+1 Gbit/s saves %1</source>
        <translation>+1 Gbit/s spart %1</translation>
    </message>
    <message>
        <source>+1 Gbit/s: %1</source>
        <translation>+1 Gbit/s: %1</translation>
    </message>
    <message>
        <source>+1 iteration</source>
        <translation>+1 Iteration</translation>
    </message>
    <message>
        <source>+1 iteration: the next one's motif</source>
        <translation>+1 Iteration: das Motiv der nächsten</translation>
    </message>
    <message>
        <source>, %1 %2</source>
        <translation>, %1 %2</translation>
    </message>
    <message>
        <source>, %1 Gbit/s</source>
        <translation>, %1 Gbit/s</translation>
    </message>
    <message>
        <source>, %1 received tensors</source>
        <translation>, %1 empfangene Tensoren</translation>
    </message>
    <message numerus="yes">
        <source>, %n workers</source>
        <translation>
            <numerusform>, %n Worker</numerusform>
            <numerusform>, %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>, backend %1</source>
        <translation>, Backend %1</translation>
    </message>
    <message>
        <source>, of iteration %1%2</source>
        <translation>, der Iteration %1%2</translation>
    </message>
    <message>
        <source>, ranked by %1</source>
        <translation>, gereiht von %1</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>1 Gbit/s more</source>
        <translation>1 Gbit/s mehr</translation>
    </message>
    <message>
        <source>1 Gbit/s more, each way, saves %1 per iteration</source>
        <translation>1 Gbit/s mehr in beiden Richtungen spart %1 je Iteration</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 Gerät</translation>
    </message>
    <message>
        <source>1 kernel continues a collective that began with another: its size counts once.</source>
        <translation>1 Kernel setzt ein Kollektiv fort, das mit einem anderen begann: Seine Größe zählt einmal.</translation>
    </message>
    <message>
        <source>1 kernel or copy has no recorded launch: shown, but in no step.</source>
        <translation>1 Kernel oder Kopie hat keinen aufgezeichneten Start: gezeigt, aber in keinem Schritt.</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>1 of the %1 complete steps has the job's layers: its durations are kept as a sample.</source>
        <translation>1 der %1 vollständigen Schritte hat die Schichten des Jobs: Seine Dauern bleiben als Stichprobe.</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rang</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 Server</translation>
    </message>
    <message>
        <source>1 step is marked by a ProfilerStep annotation.</source>
        <translation>1 Schritt ist durch eine ProfilerStep-Annotation markiert.</translation>
    </message>
    <message>
        <source>1 to </source>
        <translation>1 bis </translation>
    </message>
    <message>
        <source>1: gradients are reduced during the backward pass; 0: after it</source>
        <translation>1: Gradienten werden während des Rückwärtslaufs reduziert; 0: danach</translation>
    </message>
    <message>
        <source>95 % confidence interval of the simulated mean (batch means): how well this number of steps determines it, not how accurate the model is</source>
        <translation>95-%-Konfidenzintervall des simulierten Mittels (Batch-Means): wie genau so viele Schritte es bestimmen, nicht wie gut das Modell ist</translation>
    </message>
    <message>
        <source>; %1 beyond the curve</source>
        <translation>; %1 jenseits der Kurve</translation>
    </message>
    <message>
        <source>; %1 of them were called, but no transfer of theirs was recorded</source>
        <translation>; %1 von ihnen wurden aufgerufen, aber keine Übertragung davon wurde aufgezeichnet</translation>
    </message>
    <message>
        <source>; most of it is '%1'</source>
        <translation>; das meiste davon ist „%1“</translation>
    </message>
    <message>
        <source>; not in it: %1</source>
        <translation>; nicht enthalten: %1</translation>
    </message>
    <message>
        <source>; shown: a draft of %1 steps</source>
        <translation>; gezeigt: ein Entwurf aus %1 Schritten</translation>
    </message>
    <message>
        <source>; shown: one start of %1, whose intervals are narrower</source>
        <translation>; gezeigt: ein Start von %1, dessen Intervalle enger sind</translation>
    </message>
    <message>
        <source>&lt;b&gt;Click a hatched gap&lt;/b&gt; in a compute lane: there the worker waits. The Why panel shows the chain of causes, and remedies with the gain of each.&lt;p&gt;No gap in sight? Make the bandwidth smaller still.&lt;/p&gt;</source>
        <translation>&lt;b&gt;Klicken Sie auf eine schraffierte Lücke&lt;/b&gt; in einer Rechenspur: Dort wartet der Worker. Der Bereich Warum zeigt die Kette der Ursachen und Abhilfen mit ihrem Gewinn.&lt;p&gt;Keine Lücke zu sehen? Verringern Sie die Bandbreite weiter.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;Ctrl+E&lt;/b&gt; exports: the strategy for AutoDist, settings for Horovod, BytePS, ByteScheduler, DDP, FSDP2, DeepSpeed, Megatron-LM and XLA, traces, tables, pictures, or a report with all assumptions.</source>
        <translation>&lt;b&gt;Strg+E&lt;/b&gt; exportiert: die Strategie für AutoDist, Einstellungen für Horovod, BytePS, ByteScheduler, DDP, FSDP2, DeepSpeed, Megatron-LM und XLA, Traces, Tabellen, Bilder oder einen Bericht mit allen Annahmen.</translation>
    </message>
    <message>
        <source>&lt;b&gt;Drag&lt;/b&gt; over a part of a timeline. The Inspector shows for A and B how long they compute there, how long they communicate, and how much of that is &lt;i&gt;exposed&lt;/i&gt;: the compute stream waits for it.&lt;p&gt;&lt;b&gt;Esc&lt;/b&gt; clears the selection.&lt;/p&gt;</source>
        <translation>&lt;b&gt;Ziehen&lt;/b&gt; Sie über einen Teil einer Zeitachse. Der Inspektor zeigt für A und B, wie lange sie dort rechnen, wie lange sie kommunizieren und wie viel davon &lt;i&gt;unverdeckt&lt;/i&gt; ist: Der Rechenstrom wartet darauf.&lt;p&gt;&lt;b&gt;Esc&lt;/b&gt; hebt die Auswahl auf.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;End times&lt;/b&gt; of %1 transfers, modelled against recorded:&lt;br&gt;average %2 %, median %3 %,&lt;br&gt;95th percentile %4 %, maximum %5 %</source>
        <translation>&lt;b&gt;Endzeiten&lt;/b&gt; von %1 Übertragungen, modelliert gegenüber aufgezeichnet:&lt;br&gt;Durchschnitt %2 %, Median %3 %,&lt;br&gt;95. Perzentil %4 %, Maximum %5 %</translation>
    </message>
    <message>
        <source>&lt;b&gt;α × size + β&lt;/b&gt;: the time from a tensor's last byte to its use (section 3.2.1 of the model's paper), fitted by Theil and Sen to %1 received tensors.</source>
        <translation>&lt;b&gt;α × Größe + β&lt;/b&gt;: die Zeit vom letzten Byte eines Tensors bis zu seiner Verwendung (Abschnitt 3.2.1 des Artikels zum Modell), nach Theil und Sen an %1 empfangene Tensoren angepasst.</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>A PyTorch profile (.json, .json.gz), a job file, or a cluster (.yml) (Ctrl+O)</source>
        <translation>Ein PyTorch-Profil (.json, .json.gz), eine Job-Datei oder ein Cluster (.yml) (Strg+O)</translation>
    </message>
    <message>
        <source>A PyTorch profile, a job file, a training DAG, a project, or a job or DAG of the catalogue (resnet50, syndicate:a2).</source>
        <translation>Ein PyTorch-Profil, eine Job-Datei, ein Trainings-DAG, ein Projekt oder ein Job oder DAG des Katalogs (resnet50, syndicate:a2).</translation>
    </message>
    <message>
        <source>A and B show the measured step; knobs change simulations.</source>
        <translation>A und B zeigen den gemessenen Schritt; Regler ändern Simulationen.</translation>
    </message>
    <message>
        <source>A and B show the same stretch of time, aligned at the iteration's start</source>
        <translation>A und B zeigen denselben Zeitraum, am Beginn der Iteration ausgerichtet</translation>
    </message>
    <message>
        <source>A and B with knobs, inspector and variables</source>
        <translation>A und B mit Reglern, Inspektor und Variablen</translation>
    </message>
    <message>
        <source>A at the start</source>
        <translation>A am Start</translation>
    </message>
    <message>
        <source>A before</source>
        <translation>A vorher</translation>
    </message>
    <message>
        <source>A builder's strategy, or the number of a trial.</source>
        <translation>Die Strategie eines Builders oder die Nummer eines Versuchs.</translation>
    </message>
    <message>
        <source>A click on a planner's row shows its plan in B, where it can be edited.</source>
        <translation>Ein Klick auf die Zeile eines Planers zeigt dessen Plan in B, wo er sich bearbeiten lässt.</translation>
    </message>
    <message>
        <source>A cluster of the catalogue (B7) or a resource_spec.yml.</source>
        <translation>Ein Cluster des Katalogs (B7) oder eine resource_spec.yml.</translation>
    </message>
    <message>
        <source>A collective is cut into at most this many segments, in powers of two</source>
        <translation>Ein Kollektiv wird in höchstens so viele Segmente geteilt, in Zweierpotenzen</translation>
    </message>
    <message>
        <source>A collective takes its shortest duration over the ranks, the rest is waiting for the slowest: %1 of transfer and %2 of waiting on a rank (mean), %3 of waiting on rank %4 (most).</source>
        <translation>Ein Kollektiv dauert so lange wie auf dem Rang, auf dem es am kürzesten dauert, der Rest ist Warten auf den langsamsten: %1 Übertragung und %2 Warten auf einem Rang (Mittel), %3 Warten auf Rang %4 (Maximum).</translation>
    </message>
    <message>
        <source>A collective that no work of its step is seen to wait for is waited for at the beginning of the next; gradients are waited for by the update.</source>
        <translation>Auf ein Kollektiv, auf das im Schritt sichtbar keine Arbeit wartet, wird am Beginn des nächsten gewartet; auf Gradienten wartet die Aktualisierung.</translation>
    </message>
    <message>
        <source>A comm.</source>
        <translation>A Komm.</translation>
    </message>
    <message>
        <source>A connection uses one NIC at either end; the connections of two nodes take the NICs in turn, and each pair has %1 in each direction.</source>
        <translation>Eine Verbindung nutzt an jedem Ende eine Netzkarte; die zweier Knoten gehen reihum über deren Karten, und jedes Paar hat %1 je Richtung.</translation>
    </message>
    <message>
        <source>A curve shows both sides.</source>
        <translation>Eine Kurve zeigt beide Seiten.</translation>
    </message>
    <message>
        <source>A draft of %1 steps, kept before all steps were predicted.</source>
        <translation>Ein Entwurf aus %1 Schritten, behalten, bevor alle Schritte vorhergesagt waren.</translation>
    </message>
    <message>
        <source>A exposed</source>
        <translation>A unverd.</translation>
    </message>
    <message>
        <source>A exposes more</source>
        <translation>A mehr unverdeckt</translation>
    </message>
    <message>
        <source>A has %1 and B %2; this sets both.</source>
        <translation>A hat %1 und B %2; dies setzt beide.</translation>
    </message>
    <message>
        <source>A has no span of that name.</source>
        <translation>A hat keinen Abschnitt dieses Namens.</translation>
    </message>
    <message>
        <source>A is not simulated, so there is nothing to tune: choose a strategy for A.</source>
        <translation>A wird nicht simuliert, es gibt also nichts abzustimmen: Wählen Sie eine Strategie für A.</translation>
    </message>
    <message>
        <source>A kernel without an op of its own is taken to do the sends and receives that its thread had called since the communication before it.</source>
        <translation>Ein Kernel ohne eigene Op gilt als das Senden und Empfangen, das sein Thread seit der Kommunikation davor aufgerufen hatte.</translation>
    </message>
    <message>
        <source>A layer is the sum of many ops' spans: choose ops to see where they are.</source>
        <translation>Eine Schicht ist die Summe der Abschnitte vieler Ops: Wählen Sie Ops, um zu sehen, wo sie sind.</translation>
    </message>
    <message>
        <source>A machine pulls a value once and broadcasts it to its devices, whatever the strategy's proxies.</source>
        <translation>Eine Maschine zieht einen Wert einmal und verteilt ihn an ihre Geräte, welche Proxys die Strategie auch hat.</translation>
    </message>
    <message>
        <source>A marks</source>
        <translation>A Hinweise</translation>
    </message>
    <message>
        <source>A note on the selected stretch, span or the pointer's time; N in a timeline</source>
        <translation>Eine Notiz zum gewählten Zeitraum, Abschnitt oder Zeitpunkt; N in einer Zeitachse</translation>
    </message>
    <message>
        <source>A parts</source>
        <translation>A Teile</translation>
    </message>
    <message>
        <source>A picture of the results, a table of them that can be sorted, filtered and copied, or both</source>
        <translation>Ein Diagramm der Ergebnisse, eine Tabelle, die sich sortieren, filtern und kopieren lässt, oder beides</translation>
    </message>
    <message>
        <source>A plan of MSCCL++, or an algorithm of MSCCL, carries out one collective</source>
        <translation>Ein Plan von MSCCL++ oder ein Algorithmus von MSCCL führt eines aus</translation>
    </message>
    <message>
        <source>A profile records its own run's messages, a simulation has those of its strategy.</source>
        <translation>Ein Profil zeichnet die Nachrichten seines eigenen Laufs auf, eine Simulation hat die ihrer Strategie.</translation>
    </message>
    <message>
        <source>A rank's own time is all but its waits: gaps of its compute in which a collective runs and ends. Gaps without one are its own (its host, its input).</source>
        <translation>Die eigene Zeit eines Rangs ist alles außer seinem Warten: Lücken seines Rechnens, in denen ein Kollektiv unterwegs ist, das in ihnen endet. Lücken ohne eines sind seine eigenen (sein Host, seine Eingabe).</translation>
    </message>
    <message>
        <source>A recording is shown as it was made: it is not simulated on a cluster.</source>
        <translation>Eine Aufzeichnung wird gezeigt, wie sie entstand: Sie wird nicht auf einem Cluster simuliert.</translation>
    </message>
    <message>
        <source>A recording without a training step has no variables. The panel Query asks about its spans.</source>
        <translation>Eine Aufzeichnung ohne Trainingsschritt hat keine Variablen. Das Panel Abfrage gibt Auskunft über ihre Abschnitte.</translation>
    </message>
    <message>
        <source>A region's bottleneck is what the critical path of an iteration spends most time on.</source>
        <translation>Der Engpass eines Bereichs ist das, womit der kritische Pfad einer Iteration die meiste Zeit verbringt.</translation>
    </message>
    <message>
        <source>A row with a span_id selects that span and brings it into sight</source>
        <translation>Eine Zeile mit span_id wählt diesen Abschnitt und zeigt ihn</translation>
    </message>
    <message>
        <source>A search is running: stop it first.</source>
        <translation>Eine Suche läuft: Halten Sie sie zuerst an.</translation>
    </message>
    <message>
        <source>A second knob makes a map of all pairs of settings</source>
        <translation>Mit einem zweiten Regler entsteht eine Karte aller Paare von Einstellungen</translation>
    </message>
    <message>
        <source>A setting of the policy of %1</source>
        <translation>Eine Einstellung der Policy von %1</translation>
    </message>
    <message>
        <source>A shows the measured step; knobs change simulations.</source>
        <translation>A zeigt den gemessenen Schritt; Regler ändern Simulationen.</translation>
    </message>
    <message>
        <source>A size such as 64KiB or 1.5MB, up to %1</source>
        <translation>Eine Größe wie 64KiB oder 1.5MB, höchstens %1</translation>
    </message>
    <message>
        <source>A step is over when every variable is updated; then every worker reads the servers' values, and a layer waits for its own.</source>
        <translation>Ein Schritt ist vorbei, wenn jede Variable aktualisiert ist; dann liest jeder Worker die Werte der Server, und eine Schicht wartet auf ihre eigenen.</translation>
    </message>
    <message>
        <source>A step lasts from the last rank's end of the step before, the first one from the first rank's start, to the last rank's end.</source>
        <translation>Ein Schritt dauert vom Ende des vorigen auf dem letzten Rang, der erste vom Start des ersten Rangs, bis zum Ende auf dem letzten Rang.</translation>
    </message>
    <message>
        <source>A step starts %1 after the one before has ended (median of the recorded ones).</source>
        <translation>Ein Schritt beginnt %1 nach dem Ende des vorigen (Median der aufgezeichneten).</translation>
    </message>
    <message>
        <source>A task starts when its last parent ends or, if it queued, when the task ahead of it frees the slot.
Following these starts backwards from the next iteration gives the critical path.
Click a gap in a compute lane to ask about that wait.</source>
        <translation>Eine Aufgabe beginnt, wenn ihr letzter Vorgänger endet, oder, falls sie anstand, wenn die Aufgabe vor ihr den Platz freigibt.
Verfolgt man das vom Beginn der nächsten Iteration zurück, ergibt sich der kritische Pfad.
Ein Klick auf eine Lücke in einer Rechenspur fragt nach diesem Warten.</translation>
    </message>
    <message>
        <source>A text of your own; F2 edits a kept scenario's.</source>
        <translation>Beliebiger Text; F2 ändert den eines behaltenen Szenarios.</translation>
    </message>
    <message>
        <source>A trace has all iterations, a picture one</source>
        <translation>Ein Trace enthält alle Iterationen, ein Bild eine</translation>
    </message>
    <message>
        <source>A training DAG has no parameter servers.</source>
        <translation>Ein Trainings-DAG hat keine Parameterserver.</translation>
    </message>
    <message>
        <source>A training DAG says nothing of samples.</source>
        <translation>Ein Trainings-DAG sagt nichts über Samples.</translation>
    </message>
    <message>
        <source>A training DAG states its number of processes, and has no servers.</source>
        <translation>Ein Trainings-DAG gibt die Zahl der Prozesse selbst an und hat keine Server.</translation>
    </message>
    <message>
        <source>A view as pixels or, in SVG and PDF, as lines and text.</source>
        <translation>Eine Ansicht als Pixel oder, in SVG und PDF, als Linien und Text.</translation>
    </message>
    <message>
        <source>A where</source>
        <translation>A wo</translation>
    </message>
    <message>
        <source>A worker has one connection with each server, on one NIC at either end; they take the NICs in turn.</source>
        <translation>Ein Worker hat eine Verbindung zu jedem Server, über eine NIC an jedem Ende; sie gehen reihum über die NICs.</translation>
    </message>
    <message>
        <source>A worker pushes one slice at a time, the one needed first, and waits for it to arrive; MXNet's release waits only until it is handed to the network. Workers in step push a slice to its server all at once. A tensor's slices go to the servers in turn, from the one after the first of the tensor before it in the alphabet; in MXNet, after its last. Servers answer in the order of need.</source>
        <translation>Ein Worker sendet eine Scheibe nach der anderen, die am dringendsten gebrauchte zuerst, und wartet, bis sie ankommt; das veröffentlichte MXNet wartet nur, bis sie dem Netz übergeben ist. Worker im Gleichschritt senden eine Scheibe alle zugleich an ihren Server. Die Scheiben eines Tensors gehen reihum an die Server, ab dem nach der ersten des im Alphabet vorhergehenden Tensors; in MXNet nach dessen letzter. Server antworten in der Reihenfolge des Bedarfs.</translation>
    </message>
    <message>
        <source>A worker's connection with a server carries %1 at most, each way.</source>
        <translation>Die Verbindung eines Workers zu einem Server überträgt höchstens %1 je Richtung.</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A: %1</translation>
    </message>
    <message>
        <source>A: %1   B: %2</source>
        <translation>A: %1   B: %2</translation>
    </message>
    <message>
        <source>About Syncopate</source>
        <translation>Über Syncopate</translation>
    </message>
    <message>
        <source>Above bound</source>
        <translation>Über Schranke</translation>
    </message>
    <message>
        <source>Absolute difference, by which rows are sorted at first.</source>
        <translation>Betrag des Unterschieds, nach dem die Zeilen zuerst sortiert sind.</translation>
    </message>
    <message>
        <source>Accepted proposals / proposals so far.</source>
        <translation>Vorschläge, von denen aus die Suche weiterging / bisherige Vorschläge.</translation>
    </message>
    <message>
        <source>Achieved rate of an iteration's transfers</source>
        <translation>Erreichte Rate der Übertragungen einer Iteration</translation>
    </message>
    <message>
        <source>Across racks</source>
        <translation>Zwischen Racks</translation>
    </message>
    <message>
        <source>Action, job, cluster, knob, strategy, policy, kept scenario, variable or lane</source>
        <translation>Aktion, Job, Cluster, Regler, Strategie, Policy, behaltenes Szenario, Variable oder Spur</translation>
    </message>
    <message>
        <source>Actions, with their keys or gestures</source>
        <translation>Aktionen mit ihren Tasten oder Gesten</translation>
    </message>
    <message>
        <source>Add a node</source>
        <translation>Knoten hinzufügen</translation>
    </message>
    <message>
        <source>After the start of the iteration that is shown</source>
        <translation>Nach dem Beginn der gezeigten Iteration</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Algorithm 1 of AutoDist: a ranker chooses among many proposals, and learns from the trials</source>
        <translation>Algorithmus 1 von AutoDist: Ein Ranker wählt unter vielen Vorschlägen und lernt aus den Versuchen</translation>
    </message>
    <message>
        <source>Algorithm of the collective</source>
        <translation>Ausgeführt als</translation>
    </message>
    <message>
        <source>All computation is one stream, in the order of launches, or of ids as far as dependencies allow. Where it waited for the host is not in the trace.</source>
        <translation>Alles Rechnen ist ein Stream, in der Reihenfolge der Starts oder, soweit Abhängigkeiten es erlauben, der Ids. Wo es auf den Host wartete, steht nicht im Trace.</translation>
    </message>
    <message>
        <source>All lanes of every worker</source>
        <translation>Alle Spuren jedes Workers</translation>
    </message>
    <message>
        <source>All processes compute at %1 times the job's speed, as the cluster's slowest node does.</source>
        <translation>Alle Prozesse rechnen mit dem %1-Fachen der Geschwindigkeit des Jobs, wie der langsamste Knoten des Clusters.</translation>
    </message>
    <message>
        <source>All steps are alike, so equal workers on fairly shared links may stay in step and use the server's link one way at a time: a lower bound (uneven sharing breaks it).</source>
        <translation>Alle Schritte sind gleich, also können gleiche Worker an fair geteilten Links im Gleichschritt bleiben und den Link des Servers abwechselnd in je einer Richtung nutzen: eine Untergrenze (ungleiches Teilen bricht sie).</translation>
    </message>
    <message>
        <source>All that was recorded</source>
        <translation>Die ganze Aufzeichnung</translation>
    </message>
    <message>
        <source>All workers run on one machine: requesting a step keeps one of its %1 cores busy.</source>
        <translation>Alle Worker laufen auf einem Rechner: Einen Schritt anzufordern beschäftigt einen seiner %1 Kerne.</translation>
    </message>
    <message>
        <source>All-gather bucket</source>
        <translation>All-Gather-Bucket</translation>
    </message>
    <message>
        <source>All-gathers begin when every reduce-scatter of the step is over, in the order of the next forward; sparse gradients are gathered at once.</source>
        <translation>All-Gathers beginnen, wenn jedes Reduce-Scatter des Schritts vorbei ist, in der Reihenfolge des nächsten Vorwärtslaufs; dünn besetzte Gradienten werden sofort eingesammelt.</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>All-reduce and parameter servers</source>
        <translation>All-Reduce und Parameterserver</translation>
    </message>
    <message>
        <source>All-reduce groups</source>
        <translation>All-Reduce-Gruppen</translation>
    </message>
    <message>
        <source>All-reduce groups: the variables of one are reduced together.</source>
        <translation>All-Reduce-Gruppen: Was in einer ist, wird zusammen reduziert.</translation>
    </message>
    <message>
        <source>All-reduce: the type that gradients are cast to on the wire.</source>
        <translation>All-Reduce: der Datentyp, in dem Gradienten übertragen werden.</translation>
    </message>
    <message>
        <source>All-reduce: variables of one group are reduced together.</source>
        <translation>All-Reduce: Variablen einer Gruppe werden zusammen reduziert.</translation>
    </message>
    <message>
        <source>All-reduces, all-to-alls and the other collectives of the profile, with their dependencies.</source>
        <translation>All-Reduces, All-to-Alls und andere Kollektive, die das Profil aufgezeichnet hat, und worauf jedes wartete.</translation>
    </message>
    <message>
        <source>Alpha of Eq. 11, of scores between 0 and 1</source>
        <translation>Alpha aus Gl. 11, bei Bewertungen zwischen 0 und 1</translation>
    </message>
    <message>
        <source>Also reduce-scatter + all-gather and reduce + broadcast, which AutoDist's format cannot say</source>
        <translation>Auch Reduce-Scatter + All-Gather und Reduce + Broadcast, die AutoDists Format nicht ausdrücken kann</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down, or drag its name</source>
        <translation>Alt+Auf, Alt+Ab oder ihren Namen ziehen</translation>
    </message>
    <message>
        <source>An existing file of this name will be replaced.</source>
        <translation>Eine vorhandene Datei dieses Namens wird ersetzt.</translation>
    </message>
    <message>
        <source>An explorer of how distributed training synchronises variables.</source>
        <translation>Zeigt, wie verteiltes Training Variablen synchronisiert.</translation>
    </message>
    <message>
        <source>An export of the older autograd profiler: it has neither shapes nor sequence numbers. %1 backward nodes were numbered in the reverse of their order, %2 forward ops paired with them by name and order.</source>
        <translation>Ein Export des älteren Autograd-Profilers: Er hat weder Formen noch Sequenznummern. %1 Rückwärtsknoten wurden in umgekehrter Reihenfolge nummeriert, %2 Ops des Vorwärtslaufs nach Name und Reihenfolge mit ihnen gepaart.</translation>
    </message>
    <message>
        <source>An op is played as soon as its inputs are ready. Gaps between the recorded steps' ops are not played, since nothing recorded tells whether an op was late because of its host or of another op.</source>
        <translation>Eine Op wird gespielt, sobald ihre Eingaben bereit sind. Lücken zwischen den Ops der aufgezeichneten Schritte werden nicht gespielt, denn nichts Aufgezeichnetes sagt, ob eine Op wegen ihres Hosts oder wegen einer anderen Op spät war.</translation>
    </message>
    <message>
        <source>Another node like the selected one (or the last)</source>
        <translation>Ein weiterer Knoten wie der gewählte (oder der letzte)</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Apply this remedy (Undo takes it back)</source>
        <translation>Dies zum Zustand machen (Rückgängig nimmt es zurück)</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Arrow keys go from op to op and select it in the timeline, plus and minus zoom, F fits. Ctrl+wheel zooms, Shift+wheel or dragging moves.</source>
        <translation>Pfeiltasten gehen von Op zu Op und wählen sie in der Zeitachse, Plus und Minus zoomen, F passt ein. Strg und Rad zoomen, Umschalt und Rad verschieben, wie Ziehen.</translation>
    </message>
    <message>
        <source>As &amp;simulated</source>
        <translation>Wie &amp;simuliert</translation>
    </message>
    <message>
        <source>As ByteScheduler or Horovod released it: their space, units, first points and number of points</source>
        <translation>Wie von ByteScheduler oder Horovod veröffentlicht: deren Raum, Einheiten, erste Punkte und Zahl der Punkte</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>As the median: all of a rank's own time in a step in which it was behind is cut by one factor to the median of the ranks, of an even number the faster of the two in the middle.</source>
        <translation>Wie der Median: Alle eigene Zeit eines Rangs in einem Schritt, in dem er zurücklag, wird mit einem Faktor auf den Median der Ränge gekürzt, bei gerader Zahl auf den schnelleren der beiden mittleren.</translation>
    </message>
    <message>
        <source>Ask (Ctrl+Enter)</source>
        <translation>Fragen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Ask spans, tasks, variables, links and trials with SQL</source>
        <translation>Abschnitte, Aufgaben, Variablen, Verbindungen und Versuche mit SQL abfragen</translation>
    </message>
    <message>
        <source>Ask why</source>
        <translation>Nach dem Warum fragen</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Abfrage läuft…</translation>
    </message>
    <message>
        <source>Assumed: %1</source>
        <translation>Angenommen: %1</translation>
    </message>
    <message>
        <source>Assumed: %1 tokens a sequence, %2 of them predicted; the documentation does not state the length.</source>
        <translation>Angenommen: %1 Tokens je Sequenz, davon %2 vorhergesagt; die Dokumentation gibt die Länge nicht an.</translation>
    </message>
    <message>
        <source>Assumed: %1 words a sequence, a softmax of 8192 sampled classes.</source>
        <translation>Angenommen: %1 Wörter je Sequenz, ein Softmax über 8192 gezogene Klassen.</translation>
    </message>
    <message>
        <source>Assumed: a sample is a pair of tokens, one of the source and one of the target; each attends to %1.</source>
        <translation>Angenommen: Ein Sample ist ein Paar von Tokens, eines der Quelle und eines des Ziels; jedes beachtet %1.</translation>
    </message>
    <message>
        <source>Assumed: batch %1 a GPU.</source>
        <translation>Angenommen: Batch %1 je GPU.</translation>
    </message>
    <message>
        <source>Assumed: forward seconds of a layer = batch size %1 x FLOPs / %2 TFLOP/s, backward = 2 x forward; an NVIDIA %3 in float32 peaks at %4 TFLOP/s.</source>
        <translation>Angenommen: Vorwärtssekunden einer Schicht = Batchgröße %1 × FLOPs / %2 TFLOP/s, rückwärts = 2 × vorwärts; eine NVIDIA %3 schafft in float32 höchstens %4 TFLOP/s.</translation>
    </message>
    <message>
        <source>Assumed: its sustained FLOP/s are those of a similar model, whose throughput on one T4 is published (AutoDist's documentation, %1).</source>
        <translation>Angenommen: Seine dauerhaften FLOP/s sind die eines ähnlichen Modells, dessen Durchsatz auf einer T4 veröffentlicht ist (AutoDists Dokumentation, %1).</translation>
    </message>
    <message>
        <source>Assumed: the %1 sustains the same share of its peak as the T4.</source>
        <translation>Angenommen: Die %1 hält denselben Anteil ihrer Spitzenleistung wie die T4.</translation>
    </message>
    <message>
        <source>Assumed: the gradient of the shared embedding is dense, as in AutoDist's experiments.</source>
        <translation>Angenommen: Der Gradient des gemeinsamen Embeddings ist dicht besetzt, wie in AutoDists Versuchen.</translation>
    </message>
    <message>
        <source>Assumed: the optimizer's time is within the sustained rate, so the update takes 0 s of its own.</source>
        <translation>Angenommen: Die Zeit des Optimierers ist in der dauerhaften Rate enthalten, sodass die Aktualisierung keine eigene Zeit braucht.</translation>
    </message>
    <message>
        <source>Assumed: times cover the arithmetic alone; look-ups and updates of the tables are bound by memory and take longer.</source>
        <translation>Angenommen: Zeiten sind die der Arithmetik allein; Zugriffe auf die Tabellen und deren Aktualisierungen begrenzt der Speicher, und sie dauern länger.</translation>
    </message>
    <message>
        <source>Assumed: width %1, which AutoSync does not state; it is the usual width that comes nearest to the %2 of its Table 1.</source>
        <translation>Angenommen: Breite %1, die AutoSync nicht angibt; es ist die übliche Breite, die den %2 seiner Tabelle 1 am nächsten kommt.</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>Annahmen</translation>
    </message>
    <message>
        <source>Assumptions of A</source>
        <translation>Annahmen von A</translation>
    </message>
    <message>
        <source>Assumptions of A and B</source>
        <translation>Annahmen von A und B</translation>
    </message>
    <message>
        <source>Assumptions of B</source>
        <translation>Annahmen von B</translation>
    </message>
    <message>
        <source>Asynchronous t&amp;hroughput</source>
        <translation>Asynchroner Durchsat&amp;z</translation>
    </message>
    <message>
        <source>At %1: ↑ sent, ↓ received</source>
        <translation>Bei %1: ↑ gesendet, ↓ empfangen</translation>
    </message>
    <message>
        <source>At the end of a step a worker waits for its host, as long as in the profile.</source>
        <translation>Am Ende eines Schritts wartet ein Worker so lange wie im Profil auf seinen Host.</translation>
    </message>
    <message>
        <source>At the mark</source>
        <translation>An der Marke</translation>
    </message>
    <message>
        <source>At worst</source>
        <translation>Schlimmstenfalls</translation>
    </message>
    <message>
        <source>Attach sizes…</source>
        <translation>Größen hinzufügen…</translation>
    </message>
    <message>
        <source>Attach the sizes of the model's variables</source>
        <translation>Größen der Modellvariablen hinzufügen</translation>
    </message>
    <message>
        <source>AutoByte's meta-network predicts every pair of partition and credit, and the fastest are tried</source>
        <translation>AutoBytes Meta-Netz sagt jedes Paar von Partition und Kredit voraus, und die schnellsten werden versucht</translation>
    </message>
    <message>
        <source>AutoDist .pb, with the builder that loads it</source>
        <translation>AutoDist .pb mit dem Builder, der sie lädt</translation>
    </message>
    <message>
        <source>AutoDist's chief does not load the file by itself: the builder does</source>
        <translation>AutoDists Chief lädt von selbst keine Datei: Das tut der Builder</translation>
    </message>
    <message>
        <source>AutoSync's released sampler, seed by seed; it draws compressors, too, which change convergence</source>
        <translation>AutoSyncs veröffentlichter Sampler, Startwert für Startwert; er zieht auch Kompressoren, die die Konvergenz ändern</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B before</source>
        <translation>B vorher</translation>
    </message>
    <message>
        <source>B comm.</source>
        <translation>B Komm.</translation>
    </message>
    <message>
        <source>B exposed</source>
        <translation>B unverd.</translation>
    </message>
    <message>
        <source>B exposes more</source>
        <translation>B mehr unverdeckt</translation>
    </message>
    <message>
        <source>B follows</source>
        <translation>B folgt</translation>
    </message>
    <message>
        <source>B is not shown: compare A and B (Ctrl+B) to select its spans.</source>
        <translation>B wird nicht gezeigt: Vergleichen Sie A und B (Strg+B), um seine Abschnitte zu wählen.</translation>
    </message>
    <message>
        <source>B marks</source>
        <translation>B Hinweise</translation>
    </message>
    <message>
        <source>B parts</source>
        <translation>B Teile</translation>
    </message>
    <message>
        <source>B was moved: %1</source>
        <translation>B wurde umgezogen: %1</translation>
    </message>
    <message>
        <source>B where</source>
        <translation>B wo</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>B − A </source>
        <translation>B − A </translation>
    </message>
    <message>
        <source>B − A %1</source>
        <translation>B − A %1</translation>
    </message>
    <message>
        <source>B: %1</source>
        <translation>B: %1</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Background traffic</source>
        <translation>Hintergrundverkehr</translation>
    </message>
    <message>
        <source>Background traffic takes a share of %1 of the %2 links for a while, and the rest is shared; policies and measured collectives ignore it.</source>
        <translation>Hintergrundverkehr belegt auf %1 der %2 Links zeitweise einen Anteil, der Rest wird geteilt; Policys und gemessene Kollektive beachten ihn nicht.</translation>
    </message>
    <message>
        <source>Background traffic takes a share of links in %1 stretches of time, and the rest is shared.</source>
        <translation>Hintergrundverkehr nimmt in %1 Zeitabschnitten einen Anteil von Links, und der Rest wird geteilt.</translation>
    </message>
    <message>
        <source>Background traffic takes nothing: it is on no link that this strategy uses.</source>
        <translation>Hintergrundverkehr nimmt nichts: Er läuft über keinen Link, den diese Strategie benutzt.</translation>
    </message>
    <message>
        <source>Backward prefetch</source>
        <translation>Vorabruf rückwärts</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Bandwidth between the devices of a node, per direction and device, Gbit/s.</source>
        <translation>Bandbreite zwischen den Geräten eines Knotens je Richtung und Gerät, Gbit/s.</translation>
    </message>
    <message>
        <source>Bandwidth of all of the node's NICs together, each direction, Gbit/s.</source>
        <translation>Bandbreite aller Netzkarten des Knotens zusammen, je Richtung, Gbit/s.</translation>
    </message>
    <message>
        <source>Bandwidth of each worker: both strategies are simulated while it moves</source>
        <translation>Bandbreite jedes Workers: Beide Strategien werden simuliert, während sie sich ändert</translation>
    </message>
    <message>
        <source>Bandwidth of every node's link, each direction, Gbit/s (10⁹ bit/s).</source>
        <translation>Bandbreite des Links jedes Knotens, je Richtung, Gbit/s (10⁹ bit/s).</translation>
    </message>
    <message>
        <source>Bandwidth of every node's network card, each direction, Gbit/s (10⁹ bit/s).</source>
        <translation>Bandbreite der Netzwerkkarte jedes Knotens, je Richtung, Gbit/s (10⁹ bit/s).</translation>
    </message>
    <message>
        <source>Bandwidth of the profile</source>
        <translation>Bandbreite des Profils</translation>
    </message>
    <message>
        <source>Basis of the figures: facts that were read, and the simulation's assumptions</source>
        <translation>Grundlage der Zahlen: was gelesen wurde und was die Simulation annimmt</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Batch as the file says</source>
        <translation>Batch wie in der Datei angegeben</translation>
    </message>
    <message>
        <source>Batch of %1</source>
        <translation>Batch von %1</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Batch size %1: by the bytes of the outputs of its linear or recurrent layers.</source>
        <translation>Batchgröße %1: nach den Bytes der Ausgaben der linearen oder rekurrenten Schichten.</translation>
    </message>
    <message>
        <source>Batch size %1: the first dimension of the first %2's input.</source>
        <translation>Batchgröße %1: die erste Dimension der Eingabe der ersten Op %2.</translation>
    </message>
    <message>
        <source>Batch: samples of a worker's step</source>
        <translation>Batch: Samples eines Schritts eines Workers</translation>
    </message>
    <message>
        <source>Bayesian optimisation: a Gaussian process and expected improvement</source>
        <translation>Bayessche Optimierung: ein Gauß-Prozess und die erwartete Verbesserung</translation>
    </message>
    <message>
        <source>Behind</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Best candidate so far</source>
        <translation>Bisher bester Kandidat</translation>
    </message>
    <message>
        <source>Beyond the predicted curve</source>
        <translation>Jenseits der vorhergesagten Kurve</translation>
    </message>
    <message>
        <source>Blocking</source>
        <translation>Blockiert</translation>
    </message>
    <message>
        <source>Both iterations end at the same place</source>
        <translation>Beide Iterationen enden an derselben Stelle</translation>
    </message>
    <message>
        <source>Both iterations start at the same place</source>
        <translation>Beide Iterationen beginnen an derselben Stelle</translation>
    </message>
    <message>
        <source>Both settings are the cluster's: choose at least one of A's policy.</source>
        <translation>Beide Einstellungen gehören zum Cluster: Wählen Sie mindestens eine der Policy von A.</translation>
    </message>
    <message>
        <source>Both take</source>
        <translation>Beide brauchen</translation>
    </message>
    <message numerus="yes">
        <source>Bottleneck point: %n workers. Another one adds less than %1 % of what the first brings; %2.</source>
        <translation>
            <numerusform>Engpasspunkt: %n Worker. Ein weiterer bringt weniger als %1 % dessen, was der erste bringt; %2.</numerusform>
            <numerusform>Engpasspunkt: %n Worker. Ein weiterer bringt weniger als %1 % dessen, was der erste bringt; %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>Bounded staleness of %1: a worker waits while it is more than %2 steps ahead of the slowest.</source>
        <translation>Begrenzter Verzug von %1: Ein Worker wartet, solange er dem langsamsten um mehr als %2 Schritte voraus ist.</translation>
    </message>
    <message>
        <source>Bounded staleness of 1: a worker waits while it is more than one step ahead of the slowest.</source>
        <translation>Begrenzter Verzug von 1: Ein Worker wartet, solange er dem langsamsten um mehr als einen Schritt voraus ist.</translation>
    </message>
    <message>
        <source>Bucket cap</source>
        <translation>Bucket-Grenze</translation>
    </message>
    <message>
        <source>Bucket size</source>
        <translation>Bucket-Größe</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Build with %1</source>
        <translation>Mit %1 bauen</translation>
    </message>
    <message>
        <source>By choices that are the same, or by the ranker's vectors where it has them</source>
        <translation>Nach gleichen Entscheidungen oder nach den Vektoren des Rankers, wo er welche hat</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>Nach Schicht</translation>
    </message>
    <message>
        <source>By op</source>
        <translation>Nach Op</translation>
    </message>
    <message>
        <source>By stream</source>
        <translation>Nach Strom</translation>
    </message>
    <message>
        <source>ByteScheduler: partitions of %1, most urgent first</source>
        <translation>ByteScheduler: Partitionen von %1, die dringendste zuerst</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bytes of its traffic that ended here, as the worker sends and receives them.</source>
        <translation>Bytes ihres Verkehrs, der hier endete, wie der Worker sie sendet und empfängt.</translation>
    </message>
    <message>
        <source>Bytes of the variable, and of its gradient.</source>
        <translation>Bytes der Variable und ihres Gradienten.</translation>
    </message>
    <message>
        <source>Bytes of the variables on parameter servers.</source>
        <translation>Bytes der Variablen auf Parameterservern.</translation>
    </message>
    <message>
        <source>Bytes of the variables on the server that holds the most.</source>
        <translation>Bytes der Variablen auf dem Server, der die meisten hält.</translation>
    </message>
    <message>
        <source>Bytes on the device that needs the most: parameters, two values of optimiser state (Adam) for each that it updates itself, gradients until they are applied or sent to their server, and buckets, compressed and gathered gradients in flight. Without activations and the workspaces of ops and libraries. –: unknown, as for measured steps.</source>
        <translation>Bytes auf dem Gerät, das am meisten braucht: Parameter, je zwei Werte Optimiererzustand (Adam) für die, die es selbst aktualisiert, Gradienten, bis sie angewandt oder an ihren Server gesendet sind, und Buckets, komprimierte und eingesammelte Gradienten unterwegs. Ohne Aktivierungen und ohne das, was Operationen und Bibliotheken sonst brauchen. –: unbekannt, so bei Gemessenem.</translation>
    </message>
    <message>
        <source>Bytes per server of %1</source>
        <translation>Bytes je Server von %1</translation>
    </message>
    <message>
        <source>Bytes that each server of %1 reduces; the dashed line is the mean.</source>
        <translation>Bytes, die jeder Server von %1 reduziert; die gestrichelte Linie ist das Mittel.</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>CPUs take turns on %1 thread%2 of each worker and %3 of each server: %4 to send a message, %5 to receive one, %6 for each variable on a server, %7 to launch a collective and %8 more for each message of its steps, and the cluster's cost for each byte.</source>
        <translation>CPUs arbeiten der Reihe nach auf %1 Thread%2 jedes Workers und %3 jedes Servers: %4, um eine Nachricht zu senden, %5, um eine zu empfangen, %6 für jede Variable auf einem Server, %7, um ein Kollektiv zu starten, und %8 mehr für jede Nachricht seiner Schritte, und was der Cluster je Byte angibt.</translation>
    </message>
    <message>
        <source>CPUs: %1</source>
        <translation>CPUs: %1</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>CSV (*.csv);;JSON (*.json)</source>
        <translation>CSV (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>CSV for NCCL's tuner plugin</source>
        <translation>CSV für NCCLs Tuner-Plugin</translation>
    </message>
    <message>
        <source>Calibrate the cluster by measurements</source>
        <translation>Cluster anhand von Messungen kalibrieren</translation>
    </message>
    <message>
        <source>Calibrate with %1</source>
        <translation>Mit %1 kalibrieren</translation>
    </message>
    <message>
        <source>Calibrated with %1: %2</source>
        <translation>Mit %1 kalibriert: %2</translation>
    </message>
    <message>
        <source>Calibrate…</source>
        <translation>Kalibrieren…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the prediction, or start it again</source>
        <translation>Vorhersage abbrechen oder noch einmal starten</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Cancelled. Turn a knob or press Predict.</source>
        <translation>Abgebrochen. Drehen Sie einen Regler oder drücken Sie Vorhersagen.</translation>
    </message>
    <message>
        <source>Cancelled: incomplete. </source>
        <translation>Abgebrochen: unvollständig. </translation>
    </message>
    <message>
        <source>Cancelled; the curve shown is older, or a draft. Turn a knob or press Predict.</source>
        <translation>Abgebrochen; gezeigt wird Älteres oder ein Entwurf. Drehen Sie einen Regler oder drücken Sie Vorhersagen.</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>Candidates that the search tried. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows.</source>
        <translation>Was die Suche versucht hat. Eingabe oder A: als A, B: als B, P: anheften, Strg+C: Zeilen kopieren.</translation>
    </message>
    <message>
        <source>Cannot be explained: %1</source>
        <translation>Nicht erklärbar: %1</translation>
    </message>
    <message>
        <source>Cannot be pinned: projects do not keep it</source>
        <translation>Lässt sich nicht anheften: Projekte behalten es nicht</translation>
    </message>
    <message>
        <source>Cannot be predicted: %1</source>
        <translation>Nicht vorhersagbar: %1</translation>
    </message>
    <message>
        <source>Cannot be simulated: %1</source>
        <translation>Nicht simulierbar: %1</translation>
    </message>
    <message>
        <source>Cannot plan for the point: %1</source>
        <translation>Für den Punkt lässt sich nicht planen: %1</translation>
    </message>
    <message>
        <source>Cannot plan: %1</source>
        <translation>Nicht planbar: %1</translation>
    </message>
    <message>
        <source>Cannot search: %1</source>
        <translation>Suche nicht möglich: %1</translation>
    </message>
    <message>
        <source>Captured pairs</source>
        <translation>Aufgezeichnete Paare</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Causes by kind</source>
        <translation>Ursachen nach Art</translation>
    </message>
    <message>
        <source>Chakra execution trace</source>
        <translation>Chakra-Ausführungstrace</translation>
    </message>
    <message>
        <source>Chakra execution traces of all processes</source>
        <translation>Chakra-Ausführungstraces aller Prozesse</translation>
    </message>
    <message>
        <source>Chakra trace %1: %2 nodes in %3 bytes, %4 on the host, %5 of communication; %6 data dependencies name nodes that are not in the file.</source>
        <translation>Chakra-Trace %1: %2 Knoten in %3 Bytes, %4 auf dem Host, %5 Kommunikation; %6 Datenabhängigkeiten nennen Knoten, die nicht in der Datei sind.</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change a note</source>
        <translation>Notiz ändern</translation>
    </message>
    <message>
        <source>Change how the selected variables are synchronised: E in the table for A, Shift+E for B</source>
        <translation>Ändern, wie die gewählten Variablen synchronisiert werden: E in der Tabelle für A, Umschalt+E für B</translation>
    </message>
    <message>
        <source>Change of the iteration, ms</source>
        <translation>Änderung der Iteration, ms</translation>
    </message>
    <message>
        <source>Change of the iteration, ms, with every knob at half and at twice its value</source>
        <translation>Änderung der Iteration in ms, mit jedem Regler auf halbem und auf doppeltem Wert</translation>
    </message>
    <message>
        <source>Change what is sent, and when</source>
        <translation>Ändern, was wann gesendet wird</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Wechsel</translation>
    </message>
    <message>
        <source>Changes A, %1. Shift+E in the table changes B.</source>
        <translation>Ändert A, %1. Umschalt+E in der Tabelle ändert B.</translation>
    </message>
    <message>
        <source>Changes B, %1. E in the table changes A.</source>
        <translation>Ändert B, %1. E in der Tabelle ändert A.</translation>
    </message>
    <message>
        <source>Changing con&amp;ditions</source>
        <translation>Wechselnde Be&amp;dingungen</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Channel %1 twice as fast: %2</source>
        <translation>Kanal %1 doppelt so schnell: %2</translation>
    </message>
    <message>
        <source>Channel whose order is shown</source>
        <translation>Kanal, dessen Reihenfolge gezeigt wird</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Channels and collectives divide the same seconds in two ways</source>
        <translation>Kanäle und Kollektive teilen dieselben Sekunden auf zwei Arten auf</translation>
    </message>
    <message>
        <source>Checked every</source>
        <translation>Geprüft alle</translation>
    </message>
    <message>
        <source>Choose a scenario that can be simulated, then export</source>
        <translation>Wählen Sie Simulierbares und exportieren Sie dann</translation>
    </message>
    <message>
        <source>Choose a smaller scale</source>
        <translation>Wählen Sie eine kleinere Skalierung</translation>
    </message>
    <message>
        <source>Choose another &lt;b&gt;strategy or policy&lt;/b&gt; for A or B in the Knobs, or try a remedy. &lt;i&gt;bytescheduler&lt;/i&gt; cuts gradients into partitions and sends first what the next forward needs first: overlap with forward, too.</source>
        <translation>Wählen Sie für A oder B in den Reglern eine andere &lt;b&gt;Strategie oder Policy&lt;/b&gt;, oder probieren Sie eine Abhilfe. &lt;i&gt;bytescheduler&lt;/i&gt; teilt Gradienten in Partitionen und sendet zuerst, was der nächste Vorwärtslauf zuerst braucht: Überlappung auch mit dem Vorwärtslauf.</translation>
    </message>
    <message>
        <source>Choose another trace of the same model, before or after a change, to compare the times of a step.</source>
        <translation>Ein anderer Trace desselben Modells, vor oder nach einer Änderung: Was dauert in einem Schritt länger?</translation>
    </message>
    <message>
        <source>Choose cluster…</source>
        <translation>Cluster wählen…</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose the other side, or a strategy for this one</source>
        <translation>Wählen Sie die andere Seite oder eine Strategie für diese</translation>
    </message>
    <message>
        <source>Choose two different settings.</source>
        <translation>Wählen Sie zwei verschiedene Einstellungen.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Classes of variables' sizes, at most</source>
        <translation>Klassen von Variablengrößen, höchstens</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Click a bar to set the knob there.</source>
        <translation>Ein Klick auf einen Balken setzt den Regler dorthin.</translation>
    </message>
    <message>
        <source>Click to hide them</source>
        <translation>Klicken, um sie zu verbergen</translation>
    </message>
    <message>
        <source>Click to list them</source>
        <translation>Klicken, um sie aufzulisten</translation>
    </message>
    <message>
        <source>Click to set the workers there.</source>
        <translation>Klicken setzt die Worker darauf.</translation>
    </message>
    <message>
        <source>Click: show in B</source>
        <translation>Klick: in B zeigen</translation>
    </message>
    <message>
        <source>Click: show these workers' steps in B</source>
        <translation>Klick: die Schritte dieser Worker in B zeigen</translation>
    </message>
    <message>
        <source>Click: take into B</source>
        <translation>Klick: nach B nehmen</translation>
    </message>
    <message>
        <source>Clos&amp;e window</source>
        <translation>Fenster s&amp;chließen</translation>
    </message>
    <message>
        <source>Close all windows</source>
        <translation>Alle Fenster schließen</translation>
    </message>
    <message>
        <source>Close this window; the last one quits</source>
        <translation>Dieses Fenster schließen; mit dem letzten endet das Programm</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cluster of %1</source>
        <translation>Cluster von %1</translation>
    </message>
    <message>
        <source>Cluster of A</source>
        <translation>Cluster von A</translation>
    </message>
    <message>
        <source>Cluster of B</source>
        <translation>Cluster von B</translation>
    </message>
    <message>
        <source>Clusters (*.yml *.yaml *.json *.xml *.txt);;All files (*)</source>
        <translation>Cluster (*.yml *.yaml *.json *.xml *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Coefficient of variation of an iteration's time</source>
        <translation>Variationskoeffizient der Zeit einer Iteration</translation>
    </message>
    <message>
        <source>Collapse &amp;all workers</source>
        <translation>&amp;Alle Worker zuklappen</translation>
    </message>
    <message>
        <source>Collapse or expand the lane's worker</source>
        <translation>Worker der Spur zu- oder aufklappen</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>Kollektiv</translation>
    </message>
    <message>
        <source>Collective whose costs are shown</source>
        <translation>Kollektiv, dessen Kosten gezeigt werden</translation>
    </message>
    <message>
        <source>Collectives go from replica to replica in the order in which the strategy lists them.</source>
        <translation>Kollektive gehen von Replikat zu Replikat in der Reihenfolge, in der die Strategie sie nennt.</translation>
    </message>
    <message>
        <source>Collectives of the plan</source>
        <translation>Kollektive des Plans</translation>
    </message>
    <message>
        <source>Collectives run on the cluster's named channels, on each as many at once as it states (one, if it states none), as fast as these state and apart from the nodes' NICs; each goes to the channel that would finish it first.</source>
        <translation>Kollektive laufen auf den benannten Kanälen des Clusters, auf jedem so viele zugleich, wie er angibt (eines, wenn er nichts angibt), so schnell, wie diese es angeben, und getrennt von den Netzkarten der Knoten; jedes geht an den Kanal, der zuerst damit fertig wäre.</translation>
    </message>
    <message>
        <source>Collectives that may run at the same time.</source>
        <translation>Kollektive, die gleichzeitig laufen dürfen.</translation>
    </message>
    <message>
        <source>Collectives wait for their data dependencies, and for the work that these ops of the host had launched; a collective that nothing depends on is waited for at the beginning of the next step. Sizes are taken as the whole buffer.</source>
        <translation>Kollektive warten auf das, was ihre Datenabhängigkeiten nennen, und auf das, was diese Ops des Hosts gestartet hatten; auf ein Kollektiv, von dem nichts abhängt, wird am Beginn des nächsten Schritts gewartet. Größen gelten für den ganzen Puffer.</translation>
    </message>
    <message>
        <source>Collectives whole, as submitted, on the one channel that is fastest for all of them</source>
        <translation>Kollektive ganz, wie eingereicht, auf dem einen Kanal, der für alle am schnellsten ist</translation>
    </message>
    <message>
        <source>Combine threshold</source>
        <translation>Kombinierschwelle</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Communication does not limit this iteration: no remedy of synchronisation would help. The device waits %1 for its host; fewer launches (CUDA graphs, larger batches) would help.</source>
        <translation>Kommunikation begrenzt diese Iteration nicht: Keine Abhilfe bei der Synchronisation würde nützen. Das Gerät wartet %1 auf seinen Host; weniger Starts (CUDA-Graphen, größere Batches) würden helfen.</translation>
    </message>
    <message>
        <source>Compare A and B</source>
        <translation>A und B vergleichen</translation>
    </message>
    <message>
        <source>Compare the open profile with another trace, by op, layer and stream</source>
        <translation>Das offene Profil mit einem anderen Trace vergleichen, nach Operation, Schicht und Stream</translation>
    </message>
    <message>
        <source>Compare tr&amp;aces</source>
        <translation>Traces verg&amp;leichen</translation>
    </message>
    <message>
        <source>Compare with another trace</source>
        <translation>Mit einem anderen Trace vergleichen</translation>
    </message>
    <message>
        <source>Compare with another trace…</source>
        <translation>Mit einem anderen Trace vergleichen…</translation>
    </message>
    <message>
        <source>Compressor</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>Compressors halve float32 traffic (a cast to float16).</source>
        <translation>Kompressoren halbieren float32-Verkehr (Umwandlung in float16).</translation>
    </message>
    <message>
        <source>Compressors send %1 of the bytes.</source>
        <translation>Kompressoren senden das %1-Fache der Bytes.</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Compute alone limits this iteration: no remedy of synchronisation would help.</source>
        <translation>Allein das Rechnen begrenzt diese Iteration: Keine Abhilfe bei der Synchronisation würde nützen.</translation>
    </message>
    <message>
        <source>Compute and updates of one worker do not slow another's.</source>
        <translation>Rechnen und Aktualisierungen eines Workers bremsen die eines anderen nicht.</translation>
    </message>
    <message>
        <source>Compute idle</source>
        <translation>Rechenleerlauf</translation>
    </message>
    <message>
        <source>Compute is slower while its node communicates, by the factor that the cluster states.</source>
        <translation>Rechnen ist langsamer, während sein Knoten kommuniziert, um den Faktor, den der Cluster angibt.</translation>
    </message>
    <message>
        <source>Concurrent</source>
        <translation>Gleichzeitig</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <source>Consistency</source>
        <translation>Konsistenz</translation>
    </message>
    <message>
        <source>Contents of the plot</source>
        <translation>Inhalt des Diagramms</translation>
    </message>
    <message>
        <source>Continue where you were, %1</source>
        <translation>Dort weitermachen, wo Sie waren, %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;readout</source>
        <translation>Übersichts&amp;zeile kopieren</translation>
    </message>
    <message>
        <source>Copy a picture of the panes</source>
        <translation>Ein Bild der Zeitachsen kopieren</translation>
    </message>
    <message>
        <source>Copy as TSV (Ctrl+C)</source>
        <translation>Als TSV kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>Copy of %1</source>
        <translation>Kopie von %1</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>Meldung kopieren</translation>
    </message>
    <message>
        <source>Copy the readout line; Ctrl+C in a timeline</source>
        <translation>Die Übersichtszeile kopieren; Strg+C in einer Zeitachse</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Cost against time of the scenarios, with the Pareto front</source>
        <translation>Kosten über der Zeit der Szenarien, mit der Pareto-Front</translation>
    </message>
    <message>
        <source>Cost curves: seconds over size, with crossover points</source>
        <translation>Kostenkurven: Sekunden über der Größe, mit Schnittpunkten</translation>
    </message>
    <message>
        <source>Cost of a change</source>
        <translation>Kosten eines Wechsels</translation>
    </message>
    <message>
        <source>Cost of a change of setting, in iterations at the previous setting.</source>
        <translation>Kosten eines Wechsels der Einstellung, in Iterationen der vorigen Einstellung.</translation>
    </message>
    <message>
        <source>Cost/step</source>
        <translation>Kosten/Schritt</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Costs for XLA</source>
        <translation>Kosten für XLA</translation>
    </message>
    <message>
        <source>Costs of motifs</source>
        <translation>Kosten von Motiven</translation>
    </message>
    <message>
        <source>Costs that were not measured follow from the channels' figures.</source>
        <translation>Nicht gemessene Kosten folgen aus den Angaben der Kanäle.</translation>
    </message>
    <message>
        <source>Covariance, of preset=own: Matern 5/2 or RBF</source>
        <translation>Kovarianz, bei preset=own: Matern 5/2 oder RBF</translation>
    </message>
    <message>
        <source>Credit</source>
        <translation>Credit</translation>
    </message>
    <message>
        <source>Crossover points</source>
        <translation>Schnittpunkte</translation>
    </message>
    <message>
        <source>Crossover points of two ways: the faster one with smaller and with larger sizes. In bold where no other way is faster, so that the best choice changes.</source>
        <translation>Wo zwei Arten die Plätze tauschen: die bei kleineren und die bei größeren Größen schnellere. Fett, wo keine andere Art schneller ist, die beste Wahl also wechselt.</translation>
    </message>
    <message>
        <source>Ctrl+Enter asks. Rows with a span_id select their span.</source>
        <translation>Strg+Eingabe fragt. Zeilen mit span_id wählen ihren Abschnitt.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Z</source>
        <translation>Ctrl+Shift+Z</translation>
    </message>
    <message>
        <source>Ctrl+Y</source>
        <translation>Ctrl+Y</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Cuts, channels and order together: Metropolis-Hastings over execution plans</source>
        <translation>Schnitte, Kanäle und Reihenfolge zusammen: Metropolis-Hastings über Ausführungspläne</translation>
    </message>
    <message>
        <source>Cycle</source>
        <translation>Zyklus</translation>
    </message>
    <message>
        <source>DAG</source>
        <translation>DAG</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark, light, or as the system</source>
        <translation>Dunkel, hell oder wie das System</translation>
    </message>
    <message>
        <source>Dedicated parameter servers (M); variables go to the one with the fewest bytes so far.</source>
        <translation>Eigene Parameterserver (M); Variablen kommen auf den mit den bisher wenigsten Bytes.</translation>
    </message>
    <message>
        <source>Dedicated parameter servers: nodes that only serve. 0: the workers' nodes serve.</source>
        <translation>Eigene Parameter-Server: Knoten, die nur bedienen. 0: Die Knoten der Worker bedienen.</translation>
    </message>
    <message>
        <source>DeepSpeed's ZeRO: buckets of elements, then gathers of the updated parameters</source>
        <translation>DeepSpeeds ZeRO: Buckets von Elementen, dann All-Gathers der aktualisierten Parameter</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>Dependencies are inferred from times: work after such a gap waited for that collective; a collective begins as long after the work or the collective before it as recorded, and takes as long as recorded once its last rank has come. Broadcasts and reductions to one rank keep their durations.</source>
        <translation>Abhängigkeiten sind aus Zeiten erschlossen: Arbeit nach einer solchen Lücke wartete auf jenes Kollektiv; ein Kollektiv beginnt so lange nach der Arbeit oder dem Kollektiv davor wie aufgezeichnet und dauert, sobald sein letzter Rang da ist, so lange wie aufgezeichnet. Broadcasts und Reduktionen auf einen Rang behalten ihre Dauern.</translation>
    </message>
    <message>
        <source>Dependencies between collectives are too many to be followed; some are left out.</source>
        <translation>Es gibt zu viele Abhängigkeiten zwischen Kollektiven, um ihnen zu folgen; manche sind weggelassen.</translation>
    </message>
    <message>
        <source>Detail of the map</source>
        <translation>Feinheit der Karte</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Device %1: %2 compute kernels keep it busy for %3; %4; %5 copies; busy with any of them for %6.</source>
        <translation>Gerät %1: %2 Rechenkernel beschäftigen es %3 lang; %4; %5 Kopien; mit irgendetwas davon beschäftigt: %6.</translation>
    </message>
    <message>
        <source>Device work belongs to the step, phase and layer of the op that launched it (correlation ids); a step lasts from its first work on the busiest stream to the next step's.</source>
        <translation>Arbeit auf Geräten gehört zu Schritt, Phase und Schicht der Op, die sie gestartet hat (Correlation-Ids); ein Schritt dauert von seiner ersten Arbeit auf dem meistbeschäftigten Stream bis zu der des nächsten.</translation>
    </message>
    <message>
        <source>Device: %1.</source>
        <translation>Gerät: %1.</translation>
    </message>
    <message>
        <source>Devices and the host of their node exchange over %1.</source>
        <translation>Geräte und der Host ihres Knotens tauschen Daten über %1 aus.</translation>
    </message>
    <message>
        <source>Devices that each hold a replica; 0: one replica per CPU.</source>
        <translation>Geräte, die je ein Replikat halten; 0: ein Replikat je CPU.</translation>
    </message>
    <message>
        <source>Difference of exposed communication, A minus B</source>
        <translation>Differenz der unverdeckten Kommunikation, A minus B</translation>
    </message>
    <message>
        <source>Difference of the exposed times.</source>
        <translation>Differenz der unverdeckten Zeiten.</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Differenzen</translation>
    </message>
    <message>
        <source>Differences in the times of a step. Selecting a row highlights its spans in the timeline of A.</source>
        <translation>Was in einem Schritt länger dauert. Eine gewählte Zeile hebt ihre Abschnitte in der Zeitleiste von A hervor.</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Meldung schließen</translation>
    </message>
    <message>
        <source>Dispatching a motif takes %1, which is in measured times already.</source>
        <translation>Ein Motiv abzusetzen dauert %1, was in gemessenen Zeiten schon enthalten ist.</translation>
    </message>
    <message>
        <source>Double click edits; an empty note is removed</source>
        <translation>Doppelklick bearbeitet; eine leere Notiz wird entfernt</translation>
    </message>
    <message>
        <source>Double the %1: %2</source>
        <translation>%1 verdoppeln: %2</translation>
    </message>
    <message>
        <source>Double the bandwidth inside every node</source>
        <translation>Bandbreite in jedem Knoten verdoppeln</translation>
    </message>
    <message>
        <source>Double the lane %1 of every node: %2</source>
        <translation>Spur %1 jedes Knotens verdoppeln: %2</translation>
    </message>
    <message>
        <source>Double the link of %1: %2</source>
        <translation>Verbindung von %1 verdoppeln: %2</translation>
    </message>
    <message>
        <source>Double the links of %1 nodes: %2</source>
        <translation>Verbindungen von %1 Knoten verdoppeln: %2</translation>
    </message>
    <message>
        <source>Drag a motif to another place, or move it with the buttons.</source>
        <translation>Ziehen Sie ein Motiv an einen anderen Platz oder verschieben Sie es mit den Knöpfen.</translation>
    </message>
    <message>
        <source>Drag the &lt;b&gt;Bandwidth&lt;/b&gt; knob to half of its value, or less. Communication grows until it no longer fits under the backward pass; from then on every millisecond of it makes the iteration longer. Compare which side suffers first.</source>
        <translation>Ziehen Sie den Regler &lt;b&gt;Bandwidth&lt;/b&gt; auf die Hälfte oder weniger. Die Kommunikation wächst, bis sie nicht mehr unter den Rückwärtslauf passt; von da an verlängert jede Millisekunde die Iteration. Vergleichen Sie, welche Seite zuerst leidet.</translation>
    </message>
    <message>
        <source>Drag to move, Space to pin, C to collapse or expand the worker</source>
        <translation>Ziehen verschiebt, Leertaste heftet an, C klappt den Worker zu oder auf</translation>
    </message>
    <message>
        <source>Draw Cynthia. %1</source>
        <translation>Cynthia zeichnen. %1</translation>
    </message>
    <message>
        <source>Draw the phase-based queueing model.</source>
        <translation>Das phasenweise Warteschlangenmodell zeichnen.</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>E&amp;xpand worker</source>
        <translation>Worker au&amp;fklappen</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>E&amp;xportieren</translation>
    </message>
    <message>
        <source>Each line applies from its iteration (or second) on. Columns, at least one of them:
bandwidth_gbits   of every node's card; empty: the cluster's own
network_jobs      other jobs, each of which takes an equal share of every node's card
compute           factor on the time of every layer
straggler         further factor on the first worker's node</source>
        <translation>Jede Zeile gilt ab ihrer Iteration (oder Sekunde). Spalten, mindestens eine davon:
bandwidth_gbits   der Karte jedes Knotens; leer: die des Clusters
network_jobs      andere Jobs, von denen jeder einen gleichen Anteil der Karte jedes Knotens nimmt
compute           Faktor auf die Zeit jeder Schicht
straggler         weiterer Faktor auf dem Knoten des ersten Workers</translation>
    </message>
    <message>
        <source>Each op waits for the host at its end as long as in the step that it was sampled from, or by the job's share where that step does not record it.</source>
        <translation>Jede Operation wartet an ihrem Ende so lange auf den Host wie in dem Schritt, dem sie entnommen ist, oder gemäß dem Anteil des Jobs, wo jener Schritt es nicht aufzeichnet.</translation>
    </message>
    <message>
        <source>Each point is the mean of %1 independent starts, its interval their spread; a pattern that fewer than %2 % of starts fall into may not be among them.</source>
        <translation>Jeder Punkt ist das Mittel von %1 unabhängigen Starts, sein Intervall ihr Unterschied; ein Muster, in das weniger als %2 % der Starts fallen, ist vielleicht nicht darunter.</translation>
    </message>
    <message>
        <source>Each process counts as a rank, in the order of the process ids: a capture does not say which rank it is.</source>
        <translation>Jeder Prozess zählt als ein Rang, in der Reihenfolge der Prozessnummern: Eine Aufnahme sagt nicht, welcher Rang er ist.</translation>
    </message>
    <message>
        <source>Each remedy is simulated on its own, from the present state: changes that the causes suggest, half
and twice each knob, every builder as released and with the arguments of a small grid (its best),
every policy that affects this strategy, and the winners of searches for this job.
For a plan: every planner, each of its channels with twice the rate and with half the latency,
and the knobs that affect it.
Try: apply it; Undo takes it back.</source>
        <translation>Jede Abhilfe wird für sich simuliert, vom jetzigen Zustand aus: was die Ursachen nahelegen, jeder
Regler halb und doppelt, jeder Builder wie veröffentlicht und mit den Argumenten eines kleinen Gitters (das beste),
jede Policy, die mit dieser Strategie etwas bewirkt, und die Gewinner der Suchen für diesen Job.
Bei einem Plan: jeder Planer, jeder seiner Kanäle mit doppelter Rate und mit halber Latenz,
und die Regler, die ihn erreichen.
Probieren: macht sie zum Zustand; Rückgängig nimmt sie zurück.</translation>
    </message>
    <message>
        <source>Each sample draws its shares of split and served variables; off: half</source>
        <translation>Jede Ziehung zieht ihre Anteile geteilter Variablen und solcher auf Servern; off: die Hälfte</translation>
    </message>
    <message>
        <source>Each step that all ranks recorded: its time, its time with no rank slower than the median, its slowest rank
(the one with the longest own time), and how far that rank is behind the median.</source>
        <translation>Jeder Schritt, den alle Ränge aufgezeichnet haben: seine Zeit, seine Zeit ohne Ränge, die langsamer als der Median sind,
sein langsamster Rang (der mit der längsten eigenen Zeit) und wie weit dieser hinter dem Median liegt.</translation>
    </message>
    <message>
        <source>Each stream sends up to its window the first time it is chosen, all the rest the second time.</source>
        <translation>Jeder Strom sendet, wenn er zum ersten Mal an der Reihe ist, bis zu seinem Fenster, beim zweiten Mal den ganzen Rest.</translation>
    </message>
    <message>
        <source>Each t&amp;ransfer on a lane</source>
        <translation>Jede &amp;Übertragung auf einer Spur</translation>
    </message>
    <message>
        <source>Each tab writes one kind of file</source>
        <translation>Jeder Reiter schreibt eine Art von Datei</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Edit a note</source>
        <translation>Notiz bearbeiten</translation>
    </message>
    <message>
        <source>Edit in %1…</source>
        <translation>In %1 bearbeiten…</translation>
    </message>
    <message>
        <source>Edit variables of %1 (%2)</source>
        <translation>Variablen von %1 bearbeiten (%2)</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>Editor</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>Verstrichene Zeit</translation>
    </message>
    <message>
        <source>Elapsed time so far.</source>
        <translation>Bisher verstrichene Zeit.</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End the search (Esc)</source>
        <translation>Suche beenden (Esc)</translation>
    </message>
    <message>
        <source>End the simulation of this side; the other side goes on</source>
        <translation>Die Simulation dieser Seite beenden; die andere läuft weiter</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Enter or A: marked iteration as A   B: as B   P: pin</source>
        <translation>Eingabe oder A: markierte Iteration als A   B: als B   P: anheften</translation>
    </message>
    <message>
        <source>Enter or A: set as A   B: set as B   P: pin</source>
        <translation>Eingabe oder A: als A   B: als B   P: anheften</translation>
    </message>
    <message>
        <source>Enter: go to it. A, B: put it onto that side. F2: change name or note. Del: remove a kept one.</source>
        <translation>Eingabe: dorthin gehen. A, B: auf diese Seite legen. F2: Name oder Notiz ändern. Entf: ein behaltenes Szenario entfernen.</translation>
    </message>
    <message>
        <source>Enter: set the knobs   P: pin</source>
        <translation>Eingabe: Regler setzen   P: anheften</translation>
    </message>
    <message>
        <source>Enter: show these workers' steps in B</source>
        <translation>Eingabe: die Schritte dieser Worker in B zeigen</translation>
    </message>
    <message>
        <source>Error in the conditions</source>
        <translation>Fehler in den Bedingungen</translation>
    </message>
    <message>
        <source>Error in the settings</source>
        <translation>Fehler in den Einstellungen</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>Fehler: %1</translation>
    </message>
    <message>
        <source>Errors against measured points</source>
        <translation>Abweichung von gemessenen Punkten</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>Evaluations of a tuning</source>
        <translation>Auswertungen einer Abstimmung</translation>
    </message>
    <message>
        <source>Every variable with its traffic (sizes in bytes, times in seconds), or a panel's table as it is shown.</source>
        <translation>Jede Variable mit ihrem Verkehr (Größen in Bytes, Zeiten in Sekunden) oder die Tabelle eines Bereichs, wie sie gezeigt wird.</translation>
    </message>
    <message>
        <source>Every variable, how A and B synchronise it, and what that costs. A column's header defines it.</source>
        <translation>Jede Variable, wie A und B sie synchronisieren und was das kostet. Der Kopf einer Spalte definiert sie.</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Examples to begin with</source>
        <translation>Beispiele für den Anfang</translation>
    </message>
    <message>
        <source>Execution plans drawn at random, as many as syndicate may judge</source>
        <translation>Zufällig gezogene Ausführungspläne, so viele, wie syndicate beurteilen darf</translation>
    </message>
    <message>
        <source>Execution plans that were scheduled to find it.</source>
        <translation>Ausführungspläne, für die bei der Suche ein Ablaufplan berechnet wurde.</translation>
    </message>
    <message>
        <source>Explain %1</source>
        <translation>%1 erklären</translation>
    </message>
    <message>
        <source>Explain A or B</source>
        <translation>A oder B erklären</translation>
    </message>
    <message>
        <source>Explain a simulation</source>
        <translation>Eine Simulation erklären</translation>
    </message>
    <message>
        <source>Explain the iteration instead of this wait</source>
        <translation>Die Iteration statt dieser Wartezeit erklären</translation>
    </message>
    <message>
        <source>Explain the other side, which is simulated</source>
        <translation>Die andere Seite erklären, die simuliert wird</translation>
    </message>
    <message>
        <source>Explain…</source>
        <translation>Erklären…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export into</source>
        <translation>Exportieren nach</translation>
    </message>
    <message>
        <source>Export strategies, traces, tables, pictures, settings and reports</source>
        <translation>Strategien, Traces, Tabellen, Bilder, Einstellungen und Berichte exportieren</translation>
    </message>
    <message>
        <source>Export the answer</source>
        <translation>Antwort exportieren</translation>
    </message>
    <message>
        <source>Export the differences</source>
        <translation>Die Differenzen exportieren</translation>
    </message>
    <message>
        <source>Export the result</source>
        <translation>Das Ergebnis exportieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>Unverdeckt</translation>
    </message>
    <message>
        <source>Exposed B − A</source>
        <translation>Unverdeckt B − A</translation>
    </message>
    <message>
        <source>Exposed communication of the worker that waits longest, A minus B, per pixel: bars up where A exposes more, down where B does.
Exposed: %1</source>
        <translation>Unverdeckte Kommunikation des Workers, der am längsten wartet, A minus B, je Pixel: Balken nach oben, wo A mehr hat, nach unten, wo B mehr hat.
Unverdeckt: %1</translation>
    </message>
    <message>
        <source>Exposed times are not compared (–): %1</source>
        <translation>Unverdeckte Zeiten werden nicht verglichen (–): %1</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Facts from the profile</source>
        <translation>Angaben aus dem Profil</translation>
    </message>
    <message>
        <source>Facts read from the profile or inferred, and those missing or assumed</source>
        <translation>Gelesene Angaben, was aus ihnen folgt und was fehlt oder angenommen wird</translation>
    </message>
    <message>
        <source>Faster up to %1: %2; beyond: %3</source>
        <translation>Schneller bis %1: %2; darüber: %3</translation>
    </message>
    <message>
        <source>Fields: %1.
Compare with &lt; &lt;= &gt; &gt;= = != and ~ (contains); times and sizes take units (2ms, 4MiB).
All terms must hold; write "or" between alternatives, ! before a term that must not hold; a single word is searched for in all texts.</source>
        <translation>Felder: %1.
Vergleichen mit &lt; &lt;= &gt; &gt;= = != und ~ (enthält); Zeiten und Größen haben Einheiten (2ms, 4MiB).
Alle Bedingungen müssen gelten; „or“ trennt Alternativen, ! steht vor dem, was nicht gelten darf; ein einzelnes Wort wird in allen Texten gesucht.</translation>
    </message>
    <message>
        <source>Figures of the selected stretch, or of the last full iteration. A metric's tooltip defines it.</source>
        <translation>Zahlen des gewählten Zeitraums oder der letzten vollen Iteration. Der Tooltip einer Größe definiert sie.</translation>
    </message>
    <message>
        <source>Filter by name or key</source>
        <translation>Nach Name oder Taste filtern</translation>
    </message>
    <message>
        <source>Filter candidates</source>
        <translation>Kandidaten filtern</translation>
    </message>
    <message>
        <source>Filter differences</source>
        <translation>Differenzen filtern</translation>
    </message>
    <message>
        <source>Filter plans</source>
        <translation>Pläne filtern</translation>
    </message>
    <message>
        <source>Filter points</source>
        <translation>Punkte filtern</translation>
    </message>
    <message>
        <source>Filter scenarios</source>
        <translation>Szenarien filtern</translation>
    </message>
    <message>
        <source>Filter settings</source>
        <translation>Einstellungen filtern</translation>
    </message>
    <message>
        <source>Filter shortcuts</source>
        <translation>Tastenkürzel filtern</translation>
    </message>
    <message>
        <source>Filter variables</source>
        <translation>Variablen filtern</translation>
    </message>
    <message>
        <source>Filter ways of tuning</source>
        <translation>Arten der Abstimmung filtern</translation>
    </message>
    <message>
        <source>Filter, such as exposed&lt;2ms servers&gt;2</source>
        <translation>Filter, etwa exposed&lt;2ms servers&gt;2</translation>
    </message>
    <message>
        <source>Filter, such as front=1 nodes&lt;=8</source>
        <translation>Filter, etwa front=1 nodes&lt;=8</translation>
    </message>
    <message>
        <source>Filter, such as idle&lt;25</source>
        <translation>Filter, etwa idle&lt;25</translation>
    </message>
    <message>
        <source>Filter, such as iteration&lt;50ms</source>
        <translation>Filter, etwa iteration&lt;50ms</translation>
    </message>
    <message>
        <source>Filter, such as name~conv size&gt;10us</source>
        <translation>Filter, etwa name~conv size&gt;10us</translation>
    </message>
    <message>
        <source>Filter, such as regret&lt;10</source>
        <translation>Filter, etwa regret&lt;10</translation>
    </message>
    <message>
        <source>Filter, such as regret&lt;5</source>
        <translation>Filter, etwa regret&lt;5</translation>
    </message>
    <message>
        <source>Filter: kernel size&gt;1MiB a=PS</source>
        <translation>Filter: kernel size&gt;1MiB a=PS</translation>
    </message>
    <message>
        <source>Find &amp;anything…</source>
        <translation>&amp;Alles durchsuchen…</translation>
    </message>
    <message>
        <source>Find any action, job, cluster, knob, strategy, policy, kept scenario, variable or lane</source>
        <translation>Aktion, Job, Cluster, Regler, Strategie, Policy, behaltenes Szenario, Variable oder Spur finden</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles durchsuchen</translation>
    </message>
    <message>
        <source>Find in the timelines</source>
        <translation>In den Zeitachsen finden</translation>
    </message>
    <message>
        <source>Find spans</source>
        <translation>Abschnitte finden</translation>
    </message>
    <message>
        <source>Find spans by name or variable</source>
        <translation>Abschnitte nach Name oder Variable finden</translation>
    </message>
    <message>
        <source>Find spans by name or variable; / in a timeline</source>
        <translation>Abschnitte nach Name oder Variable finden; / in einer Zeitachse</translation>
    </message>
    <message>
        <source>Find the best motifs, channels and order for the collectives</source>
        <translation>Herausfinden, in welchen Motiven, auf welchen Kanälen und in welcher Reihenfolge die Kollektive laufen sollten</translation>
    </message>
    <message>
        <source>Finding the causes…</source>
        <translation>Sucht die Ursachen …</translation>
    </message>
    <message>
        <source>Findings of the map</source>
        <translation>Befunde der Karte</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>First bucket</source>
        <translation>Erster Bucket</translation>
    </message>
    <message>
        <source>First setting</source>
        <translation>Erste Einstellung</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Fit of the parsing overhead</source>
        <translation>Anpassung der Parse-Kosten</translation>
    </message>
    <message>
        <source>Fit the parsing overhead to captured pairs: a table (CSV) with the columns bytes, arrived_us and end_us, microseconds.</source>
        <translation>Parse-Kosten an aufgezeichnete Paare anpassen: eine Tabelle (CSV) mit den Spalten bytes, arrived_us und end_us, in Mikrosekunden.</translation>
    </message>
    <message>
        <source>Fit the selected time, the selected span, or the iteration</source>
        <translation>Gewählte Zeit, gewählten Abschnitt oder Iteration einpassen</translation>
    </message>
    <message>
        <source>Flow limit</source>
        <translation>Flusslimit</translation>
    </message>
    <message>
        <source>Flows share links in proportion to weights that every transfer draws (exponential, in whole numbers).</source>
        <translation>Flüsse teilen Links im Verhältnis von Gewichten, die jede Übertragung zieht (exponentiell, ganzzahlig).</translation>
    </message>
    <message>
        <source>Flows share links max-min fairly at every moment.</source>
        <translation>Flüsse teilen Links zu jedem Zeitpunkt max-min-fair.</translation>
    </message>
    <message>
        <source>Fold: %1</source>
        <translation>Falten (fold): %1</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>For a measured side: explains a simulation instead</source>
        <translation>Für eine Seite, die Gemessenes zeigt: erklärt stattdessen eine Simulation</translation>
    </message>
    <message>
        <source>For a side that shows a plan. The preview says what a format cannot express (docs/plan.md).</source>
        <translation>Für eine Seite, die einen Plan zeigt. Die Vorschau sagt, was ein Format nicht ausdrücken kann (docs/plan.md).</translation>
    </message>
    <message>
        <source>For&amp;ward</source>
        <translation>V&amp;or</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Forward prefetch</source>
        <translation>Vorabruf vorwärts</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later: you may use, study, share and change it. It comes without any warranty.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder später: Sie dürfen sie benutzen, untersuchen, weitergeben und ändern. Sie kommt ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From a tensor's last byte to its use: alpha seconds per byte and beta seconds per tensor, such as 2e-10,50us. fitted: to the profile's recorded transfers; off: parsing takes no time.</source>
        <translation>Vom letzten Byte eines Tensors bis zu seiner Verwendung: alpha Sekunden je Byte und beta Sekunden je Tensor, etwa 2e-10,50us. angepasst: an die aufgezeichneten Übertragungen des Profils; aus: Parsen kostet keine Zeit.</translation>
    </message>
    <message>
        <source>From..to, such as 1..40; with :21 in 21 steps, with :21:log by equal factors. Empty: all of the knob</source>
        <translation>Von..bis, etwa 1..40; mit :21 in 21 Schritten, mit :21:log um gleiche Faktoren. Leer: der ganze Regler</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>Fusion buffer</source>
        <translation>Fusionspuffer</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs: %1</source>
        <translation>GPUs: %1</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Gain of the bottleneck point</source>
        <translation>Gewinn am Engpasspunkt</translation>
    </message>
    <message>
        <source>Gaps of a compute stream in an iteration</source>
        <translation>Lücken eines Rechenstroms in einer Iteration</translation>
    </message>
    <message>
        <source>Gbit/s that a stream reached where the profile was recorded, which explains its transfers. State it before you predict another link.</source>
        <translation>Gbit/s, die ein Stream bei der Aufzeichnung des Profils erreichte; sie erklären seine Übertragungen. Geben Sie sie an, bevor Sie einen anderen Link vorhersagen.</translation>
    </message>
    <message>
        <source>Generated, not recorded: steps of training with parameter servers (Algorithm 3.1), %1 of each worker after %2 that are left out; seed %3.</source>
        <translation>Erzeugt, nicht aufgezeichnet: Schritte des Trainings mit Parameterservern (Algorithmus 3.1), %1 je Worker nach %2, die ausgelassen sind; Startwert %3.</translation>
    </message>
    <message>
        <source>Give the files a name without /.</source>
        <translation>Geben Sie den Dateien einen Namen ohne /.</translation>
    </message>
    <message>
        <source>Given: batch %1 a GPU.</source>
        <translation>Vorgegeben: Batch %1 je GPU.</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurückgehen</translation>
    </message>
    <message>
        <source>Go on with the same seed, exactly as if it had not been stopped</source>
        <translation>Mit demselben Startwert fortfahren, genau als wäre sie nicht angehalten worden</translation>
    </message>
    <message>
        <source>Go on with the same seed, exactly as if it had not been stopped.</source>
        <translation>Mit demselben Startwert fortfahren, genau als wäre nicht angehalten worden.</translation>
    </message>
    <message>
        <source>Go to it (Enter)</source>
        <translation>Dorthin gehen (Eingabe)</translation>
    </message>
    <message>
        <source>Go to “%1”</source>
        <translation>Zu „%1“ gehen</translation>
    </message>
    <message>
        <source>Gradients have the bytes of the job's variables: with bf16 Megatron-LM reduces them in fp32. Buckets are not padded.</source>
        <translation>Gradienten haben die Bytes der Variablen des Jobs; Megatron-LM reduziert sie bei bf16 dagegen in fp32. Buckets werden nicht aufgefüllt.</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Graph of the training DAG</source>
        <translation>Graph des Trainings-DAG</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Group threshold</source>
        <translation>Gruppenschwelle</translation>
    </message>
    <message>
        <source>Grouping of the spans</source>
        <translation>Gruppierung der Abschnitte</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>HTTP/2 flow control as gRPC does it: first windows of %1 for streams and connections.</source>
        <translation>HTTP/2-Flusskontrolle wie in gRPC: erste Fenster von %1 für Streams und Verbindungen.</translation>
    </message>
    <message>
        <source>HTTP/2 flow control: bytes that a stream sends the first time it is chosen; the rest goes the second time. off: whole streams; estimated: the window that explains the profile's recorded transfers best.</source>
        <translation>HTTP/2-Flusskontrolle: Bytes, die ein Strom sendet, wenn er zum ersten Mal gewählt wird; der Rest geht beim zweiten Mal. aus: ganze Ströme; geschätzt: das Fenster, das die aufgezeichneten Übertragungen des Profils am besten erklärt.</translation>
    </message>
    <message>
        <source>HTTP/2 streams: %1 the first time a stream is chosen, the rest the second time.</source>
        <translation>HTTP/2-Streams: %1, wenn ein Stream zum ersten Mal gewählt wird, der Rest beim zweiten Mal.</translation>
    </message>
    <message>
        <source>HTTP/2 window</source>
        <translation>HTTP/2-Fenster</translation>
    </message>
    <message>
        <source>HTTP/2 window: %1</source>
        <translation>HTTP/2-Fenster: %1</translation>
    </message>
    <message>
        <source>HTTP/2 window: off</source>
        <translation>HTTP/2-Fenster: aus</translation>
    </message>
    <message>
        <source>Half and twice of %1 mean nothing.</source>
        <translation>Die Hälfte und das Doppelte von %1 bedeuten nichts.</translation>
    </message>
    <message>
        <source>Half the latency of channel %1</source>
        <translation>Halbe Latenz von Kanal %1</translation>
    </message>
    <message>
        <source>Half the latency of channel %1: %2</source>
        <translation>Halbe Latenz von Kanal %1: %2</translation>
    </message>
    <message>
        <source>Halve the %1: %2</source>
        <translation>%1 halbieren: %2</translation>
    </message>
    <message>
        <source>Hide the panels below the timelines, or show them again</source>
        <translation>Die Bereiche unter den Zeitachsen verbergen oder wieder zeigen</translation>
    </message>
    <message>
        <source>Hit rate: %1 Tuned: %2 No synchronous strategy is faster than the compute alone.</source>
        <translation>Trefferquote: %1 Abgestimmt: %2 Keine synchrone Strategie ist schneller als das Rechnen allein.</translation>
    </message>
    <message>
        <source>Horovod's cycles are counted from the start of each backward pass; negotiation and the copies into and out of the fusion buffer are free.</source>
        <translation>Horovods Zyklen zählen ab dem Beginn jedes Rückwärtslaufs; das Aushandeln und die Kopien in den Fusionspuffer und aus ihm kosten nichts.</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>How A keeps the variable the same on all workers.</source>
        <translation>Wie A die Variable auf allen Workern gleich hält.</translation>
    </message>
    <message>
        <source>How B keeps the variable the same on all workers.</source>
        <translation>Wie B die Variable auf allen Workern gleich hält.</translation>
    </message>
    <message>
        <source>How each variable is synchronised: a builder expression, or the path of a strategy file.</source>
        <translation>Wie jede Variable synchronisiert wird: ein Builder-Ausdruck oder der Pfad einer Strategiedatei.</translation>
    </message>
    <message>
        <source>How fast A trains over two settings of its policy, and what tuners choose</source>
        <translation>Wie schnell A über zwei Einstellungen seiner Policy trainiert und was Tuner wählen</translation>
    </message>
    <message>
        <source>How fast A trains while bandwidth, other jobs and stragglers change, tuned once and tuned again</source>
        <translation>Wie schnell A trainiert, während sich Bandbreite, andere Jobs und Nachzügler ändern, einmal und immer wieder abgestimmt</translation>
    </message>
    <message>
        <source>How many rows the answer has, or why there is none</source>
        <translation>Wie viele Zeilen die Antwort hat oder warum es keine gibt</translation>
    </message>
    <message>
        <source>How much longer an iteration takes than the fastest known one.</source>
        <translation>Wie viel länger eine Iteration dauert als die schnellste bekannte.</translation>
    </message>
    <message>
        <source>How much longer it takes in B; an entry that is missing in one of them counts as 0 there.</source>
        <translation>Wie viel länger es in B dauert; ein Eintrag, der auf einer Seite fehlt, zählt dort als 0.</translation>
    </message>
    <message>
        <source>How much longer it takes than the oracle.</source>
        <translation>Wie viel länger es dauert als beim Orakel.</translation>
    </message>
    <message>
        <source>How much of the iteration compute, each channel and each collective take</source>
        <translation>Welchen Anteil der Iteration das Rechnen, jeder Kanal und jedes Kollektiv haben</translation>
    </message>
    <message>
        <source>How often the setting was changed after the start.</source>
        <translation>Wie oft die Einstellung nach dem Start geändert wurde.</translation>
    </message>
    <message>
        <source>How the DAG's collectives are planned: a planner, or the path of a plan file.</source>
        <translation>Wie die Kollektive des DAG geplant werden: ein Planer oder der Pfad einer Plandatei.</translation>
    </message>
    <message>
        <source>How the gradients of all workers are combined.</source>
        <translation>Wie die Gradienten aller Worker zu einem werden.</translation>
    </message>
    <message>
        <source>How the plan was found (docs/plan.md); in the order of the paper's figures.</source>
        <translation>Wie der Plan gefunden wurde (docs/plan.md); in der Reihenfolge der Abbildungen des Artikels.</translation>
    </message>
    <message>
        <source>Identical nodes are folded: one is simulated for all of them, which is exact.</source>
        <translation>Gleiche Knoten sind zusammengefasst: Einer wird für alle simuliert, was exakt ist.</translation>
    </message>
    <message>
        <source>Identical workers start together and, sharing links fairly, stay together: a lower bound of their asynchronous throughput.</source>
        <translation>Gleiche Worker beginnen gemeinsam und bleiben, da sie Links fair teilen, zusammen: eine untere Schranke ihres asynchronen Durchsatzes.</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Improvement that is asked for, of preset=own</source>
        <translation>Verlangte Verbesserung, bei preset=own</translation>
    </message>
    <message>
        <source>In a timeline</source>
        <translation>In einer Zeitachse</translation>
    </message>
    <message>
        <source>In any currency; servers are nodes, too. The table then has the price of a million samples.</source>
        <translation>In beliebiger Währung; auch Server sind Knoten. Die Tabelle nennt dann den Preis einer Million Samples.</translation>
    </message>
    <message>
        <source>In any currency; servers are nodes, too. Without a price, costs are in node-seconds. Shared with the throughput panel.</source>
        <translation>In beliebiger Währung; auch Server sind Knoten. Ohne Preis stehen die Kosten in Knotensekunden. Der Bereich Durchsatz hat denselben.</translation>
    </message>
    <message>
        <source>In filters: %1</source>
        <translation>In Filtern: %1</translation>
    </message>
    <message>
        <source>In stages 1 and 2 a replica updates its share of the parameters, which are gathered in the job's types before the next forward pass; PyTorch 1.13 and later gathers them at once, whatever the all-gather bucket is. The wait for the buffer of the bucket before the last is not simulated.</source>
        <translation>In den Stufen 1 und 2 aktualisiert ein Replikat seinen Anteil der Parameter; sie werden in den Typen des Jobs vor dem nächsten Vorwärtslauf eingesammelt. PyTorch ab 1.13 sammelt alle auf einmal ein, wie groß der All-Gather-Bucket auch ist. Das Warten auf den Puffer des vorletzten Buckets wird nicht simuliert.</translation>
    </message>
    <message>
        <source>In which order a server sends variables to a worker; TIC and TAC are TicTac's.</source>
        <translation>In welcher Reihenfolge ein Server Variablen an einen Worker sendet; TIC und TAC sind die von TicTac.</translation>
    </message>
    <message>
        <source>Independent runs per point; their mean and its 95 % interval are shown. Workers may fall into lockstep for a whole run, which a single run does not reveal.</source>
        <translation>Unabhängige Läufe je Punkt: Gezeigt werden ihr Mittel und dessen 95-%-Intervall. Worker können einen ganzen Lauf lang in Gleichschritt fallen, was ein einzelner Lauf nicht zeigt.</translation>
    </message>
    <message>
        <source>Inferred</source>
        <translation>Geschlossen</translation>
    </message>
    <message>
        <source>Inferred from the profile</source>
        <translation>Aus dem Profil geschlossen</translation>
    </message>
    <message>
        <source>Inferred: %1</source>
        <translation>Gefolgert: %1</translation>
    </message>
    <message>
        <source>Inside nodes</source>
        <translation>In Knoten</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>Iteration &amp;end</source>
        <translation>&amp;Ende der Iteration</translation>
    </message>
    <message>
        <source>Iteration &amp;start</source>
        <translation>&amp;Beginn der Iteration</translation>
    </message>
    <message>
        <source>Iteration / lower bound − 1: no plan of these collectives on these channels is faster than the bound.</source>
        <translation>Iteration / untere Schranke − 1: Kein Plan dieser Kollektive auf diesen Kanälen ist schneller als die Schranke.</translation>
    </message>
    <message>
        <source>Iteration against FIFO's; below zero is faster.</source>
        <translation>Iteration gegenüber der von FIFO; unter null ist schneller.</translation>
    </message>
    <message>
        <source>Iteration of B less that of A, in seconds.</source>
        <translation>Iteration von B minus die von A, in Sekunden.</translation>
    </message>
    <message>
        <source>Iteration time of A and B in the steady state, and B's difference from A.
Overlap, of the last full iteration: %1
Exposed: %2
The bound of a plan: no plan of its collectives on its channels is faster.
At the cursor: what worker 0 does in A and B, and how much each has exposed since its iteration began.</source>
        <translation>Iterationszeit von A und B im eingeschwungenen Zustand und die Differenz von B zu A.
Überlappung der letzten vollen Iteration: %1
Unverdeckt: %2
Die Schranke eines Plans: Kein Plan seiner Kollektive auf seinen Kanälen ist schneller.
Am Cursor: was Worker 0 in A und B tut und wie viel jeder seit Beginn seiner Iteration unverdeckt kommuniziert hat.</translation>
    </message>
    <message>
        <source>Iteration time of each with all links at half and at twice their bandwidth, and with one worker at two thirds of its speed. At worst: how far it is behind the fastest of a column. The first is the most robust.</source>
        <translation>Eine Iteration jeder Strategie mit allen Links bei halber und doppelter Bandbreite und mit einem Worker bei zwei Dritteln seiner Geschwindigkeit. Schlimmstenfalls: wie weit sie hinter der schnellsten einer Spalte liegt. Die erste ist die robusteste.</translation>
    </message>
    <message>
        <source>Iteration time over any knob, or any pair of knobs</source>
        <translation>Iterationszeit über einen Regler oder ein Paar von Reglern</translation>
    </message>
    <message>
        <source>Iteration time saved by 1 Gbit/s more, in both directions of a node's link</source>
        <translation>Was 1 Gbit/s mehr in beiden Richtungen der Verbindung eines Knotens je Iteration spart</translation>
    </message>
    <message>
        <source>Iteration time saved by 1 Gbit/s more; folded nodes are sped up together</source>
        <translation>Ersparnis je Iteration durch 1 Gbit/s mehr; gefaltete Knoten werden gemeinsam schneller</translation>
    </message>
    <message>
        <source>Iterations at its start that are left out of the mean</source>
        <translation>Iterationen an seinem Anfang, die im Mittel fehlen</translation>
    </message>
    <message>
        <source>Iterations from one check of the conditions to the next.</source>
        <translation>Iterationen von einer Prüfung der Bedingungen bis zur nächsten.</translation>
    </message>
    <message>
        <source>Iterations of a trial</source>
        <translation>Iterationen eines Versuchs</translation>
    </message>
    <message>
        <source>Iterations repeat, but the links' token buckets (burst_bytes) slowly empty or fill: in the long run the iteration time may differ by about %1 %.</source>
        <translation>Die Iterationen wiederholen sich, aber die Token-Buckets der Links (burst_bytes) leeren oder füllen sich langsam: Auf lange Sicht kann die Iterationszeit um etwa %1 % abweichen.</translation>
    </message>
    <message>
        <source>Its devices keep the speed that was recorded; the links are the cluster's.</source>
        <translation>Seine Geräte behalten die aufgezeichnete Geschwindigkeit; die Verbindungen sind die des Clusters.</translation>
    </message>
    <message>
        <source>Its models under other conditions</source>
        <translation>Andere Bedingungen seiner Modelle</translation>
    </message>
    <message>
        <source>Its name; F2 renames a kept scenario.</source>
        <translation>Sein Name; F2 ändert den eines behaltenen Szenarios.</translation>
    </message>
    <message>
        <source>Its traffic is under way (push and pull, or the all-reduce of its group), worker 0.</source>
        <translation>Ihr Verkehr ist unterwegs (Push und Pull oder das All-Reduce ihrer Gruppe), Worker 0.</translation>
    </message>
    <message>
        <source>Its traffic is under way while the compute stream waits for communication.</source>
        <translation>Ihr Verkehr ist unterwegs, während der Rechenstrom auf Kommunikation wartet.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>JSON, to be opened again</source>
        <translation>JSON, zum Wiederöffnen</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Job files, checkpoints and ONNX models (*.json *.safetensors *.onnx *.index);;All files (*)</source>
        <translation>Job-Dateien, Checkpoints und ONNX-Modelle (*.json *.safetensors *.onnx *.index);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Jobs of the catalogue</source>
        <translation>Jobs des Katalogs</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>Beurteilung</translation>
    </message>
    <message>
        <source>Judging the best with each piece reset…</source>
        <translation>Die beste wird mit je einem zurückgesetzten Stück beurteilt…</translation>
    </message>
    <message>
        <source>Keep the present A and B, to return to them or to compare with them</source>
        <translation>Die jetzigen A und B behalten, um zu ihnen zurückzukehren oder mit ihnen zu vergleichen</translation>
    </message>
    <message>
        <source>Keep the present curve, to compare it with other knobs, clusters or profiles.</source>
        <translation>Die gegenwärtige Kurve behalten, um sie mit anderen Reglern, Clustern oder Profilen zu vergleichen.</translation>
    </message>
    <message>
        <source>Keep “%1”</source>
        <translation>„%1“ behalten</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Kept (Ctrl+D), best or pinned trial of the search, or point of the sweep; and its side.</source>
        <translation>Behalten (Strg+D), das Beste und das Angeheftete der Suche oder ein Punkt des Durchlaufs; und welche Seite.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Keys and mouse gestures</source>
        <translation>Tasten und Mausgesten</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Kind of run</source>
        <translation>Art des Laufs</translation>
    </message>
    <message>
        <source>Kind of run over the space of settings; hidden runs continue</source>
        <translation>Art des Laufs über den Raum der Einstellungen; verdeckte Läufe gehen weiter</translation>
    </message>
    <message>
        <source>Knee %1: %2</source>
        <translation>Knie %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>Knee: %n or more workers</source>
        <translation>
            <numerusform>Knie: %n oder mehr Worker</numerusform>
            <numerusform>Knie: %n oder mehr Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Knee: %n workers</source>
        <translation>
            <numerusform>Knie: %n Worker</numerusform>
            <numerusform>Knie: %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>Knees and ends of regions are found to within %1 % of their number of workers; what lies between simulated numbers is not simulated.</source>
        <translation>Knie und Enden von Bereichen sind auf %1 % der Zahl von Workern genau; was zwischen simulierten Zahlen liegt, ist nicht simuliert.</translation>
    </message>
    <message>
        <source>Knob</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>Knobs</source>
        <translation>Regler</translation>
    </message>
    <message>
        <source>Knobs: the iteration with each knob at half and at twice its value.
Scaling: samples/s over the number of workers, its bottlenecks, and the knee.
Links: those that limit it, and the time that a faster one would save.
Shares, of a plan: the parts of compute, channels and collectives in the iteration.</source>
        <translation>Regler: die Iteration mit jedem Regler auf der Hälfte und dem Doppelten.
Skalierung: Samples/s über der Zahl der Worker, was sie wo begrenzt, und das Knie.
Verbindungen: die begrenzenden, und was eine schnellere sparen würde.
Anteile, bei einem Plan: was Rechnen, Kanäle und Kollektive an der Iteration haben.</translation>
    </message>
    <message>
        <source>Known pitfalls of how A synchronises this variable.</source>
        <translation>Bekannte Fallstricke bei der Art, wie A diese Variable synchronisiert.</translation>
    </message>
    <message>
        <source>Known pitfalls of how B synchronises this variable.</source>
        <translation>Bekannte Fallstricke bei der Art, wie B diese Variable synchronisiert.</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Lane of A</source>
        <translation>Spur von A</translation>
    </message>
    <message>
        <source>Lane of B</source>
        <translation>Spur von B</translation>
    </message>
    <message>
        <source>Lanes as &amp;simulated</source>
        <translation>Spuren wie &amp;simuliert</translation>
    </message>
    <message>
        <source>Lanes of the first %1 of %2 workers.</source>
        <translation>Spuren der ersten %1 von %2 Workern.</translation>
    </message>
    <message>
        <source>Language of all texts: %1; without it, the system's.</source>
        <translation>Sprache aller Texte: %1; ohne Angabe die des Systems.</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Last full iteration</source>
        <translation>Letzte volle Iteration</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Layers are not compared: %1 holds no training step that they could be found in.</source>
        <translation>Schichten werden nicht verglichen: %1 enthält keinen Trainingsschritt, in dem sie sich finden ließen.</translation>
    </message>
    <message>
        <source>Learn on the bundled sample what overlap is and how to improve it</source>
        <translation>Am mitgelieferten Beispiel lernen, was Überlappung ist und wie man sie verbessert</translation>
    </message>
    <message>
        <source>Left and Right mark a point, Enter shows its steps in B, Up and Down change the curve</source>
        <translation>Links und Rechts markieren einen Punkt, Eingabe zeigt seine Schritte in B, Auf und Ab wechseln die Kurve</translation>
    </message>
    <message>
        <source>Left out, with the waits for them: %1.</source>
        <translation>Weggelassen, mit dem Warten darauf: %1.</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Letters in their order are enough: "cab" finds Compare A/B. Words of a description are found too.</source>
        <translation>Buchstaben in ihrer Reihenfolge genügen: „cab“ findet „Compare A/B“. Auch Wörter der Beschreibung werden gefunden.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light reads better on paper</source>
        <translation>Hell liest sich auf Papier besser</translation>
    </message>
    <message>
        <source>Limit of one connection between nodes of different racks, Gbit/s; as inside: the flow limit.</source>
        <translation>Grenze einer einzelnen Verbindung zwischen Knoten verschiedener Racks, Gbit/s; as inside: das Flusslimit.</translation>
    </message>
    <message>
        <source>Limit of one connection between two nodes of a rack, however fast the links, Gbit/s; none: no limit.</source>
        <translation>Grenze einer einzelnen Verbindung zwischen zwei Knoten eines Racks, wie schnell die Links auch sind, Gbit/s; none: keine Grenze.</translation>
    </message>
    <message>
        <source>Limit the %1: %2</source>
        <translation>%1 begrenzen: %2</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Begrenzt</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Links are shaped by token buckets: %1 of pushes and pulls pass at once after a pause.</source>
        <translation>Links sind durch Token-Buckets begrenzt: Es passieren nach einer Pause %1 an Pushes und Pulls ungebremst.</translation>
    </message>
    <message>
        <source>Links change their rates: the figures are those of iteration %1 of %2 (%3 to %4), not of a steady state.</source>
        <translation>Links ändern ihre Raten: Die Werte sind die von Iteration %1 von %2 (%3 bis %4), kein eingeschwungener Zustand.</translation>
    </message>
    <message>
        <source>Links change their rates: the figures are those of the time from %1 to %2, not of a steady state.</source>
        <translation>Links ändern ihre Raten: Die Werte sind die der Zeit von %1 bis %2, kein eingeschwungener Zustand.</translation>
    </message>
    <message>
        <source>Links on the critical path, and the simulated saving with 1 Gbit/s more; none where another link is equally slow.
The topology shows the same as the colour of its links (Worth).</source>
        <translation>Verbindungen auf dem kritischen Pfad und die simulierte Ersparnis mit 1 Gbit/s mehr; keine, wo eine andere Verbindung ebenso langsam ist.
Die Topologie zeigt dasselbe als Farbe ihrer Verbindungen (Wert).</translation>
    </message>
    <message>
        <source>Links reach %1 of their stated rate, collectives %2 of that; %3 latency and %4 per message.</source>
        <translation>Links erreichen das %1-Fache ihrer angegebenen Rate, Kollektive das %2-Fache davon; %3 Latenz und %4 je Nachricht.</translation>
    </message>
    <message>
        <source>Links share bandwidth max-min fairly; a node is one worker whose devices compute in step.</source>
        <translation>Links teilen ihre Bandbreite max-min-fair; ein Knoten ist ein Worker, dessen Geräte im Gleichschritt rechnen.</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Load of the links</source>
        <translation>Last der Verbindungen</translation>
    </message>
    <message>
        <source>Load: the share of a link's capacity that is used over the visible time.
Worth: by how much 1 Gbit/s more, in both directions of a node's link, shortens the iteration; simulated.</source>
        <translation>Last: der Anteil der Kapazität eines Links, der in der sichtbaren Zeit genutzt wird.
Wert: um wie viel 1 Gbit/s mehr in beiden Richtungen der Verbindung eines Knotens die Iteration verkürzt; simuliert.</translation>
    </message>
    <message>
        <source>Loaded %1</source>
        <translation>%1 geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>%1 wird geladen</translation>
    </message>
    <message>
        <source>Loading %1…</source>
        <translation>%1 wird geladen…</translation>
    </message>
    <message>
        <source>Loading cancelled</source>
        <translation>Laden abgebrochen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log of loading, changes, exports and errors, with times</source>
        <translation>Protokoll mit Uhrzeiten: was geladen, geändert und exportiert wurde, und Fehler</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>Genauer hinsehen</translation>
    </message>
    <message>
        <source>Lower bounds: compute %1, links %2 (%3), channels %4 (%5), any plan %6. Another plan could gain: %7.</source>
        <translation>Untere Schranken: Rechnen %1, Links %2 (%3), Kanäle %4 (%5), jeder Plan %6. Ein anderer Plan könnte gewinnen: %7.</translation>
    </message>
    <message>
        <source>Lower bounds: compute %1, network %2 (%3), queues %4 (%5), dependencies %6. Another order could gain: %7; other parts or buckets: %8.</source>
        <translation>Untere Schranken: Rechnen %1, Netz %2 (%3), Warteschlangen %4 (%5), Abhängigkeiten %6. Eine andere Reihenfolge könnte gewinnen: %7; andere Teile oder Buckets: %8.</translation>
    </message>
    <message>
        <source>Lower pan&amp;els</source>
        <translation>Untere B&amp;ereiche</translation>
    </message>
    <message>
        <source>MSCCL algorithm of one collective (legacy)</source>
        <translation>MSCCL-Algorithmus eines Kollektivs (veraltet)</translation>
    </message>
    <message>
        <source>MSCCL++ plan of one collective</source>
        <translation>MSCCL++-Plan eines Kollektivs</translation>
    </message>
    <message>
        <source>Machines. %1</source>
        <translation>Rechner. %1</translation>
    </message>
    <message>
        <source>Make the map from the start.</source>
        <translation>Die Karte von vorn erstellen.</translation>
    </message>
    <message>
        <source>Make the whole map and run the chosen tuners.</source>
        <translation>Die ganze Karte erstellen und die gewählten Tuner ausführen.</translation>
    </message>
    <message>
        <source>Making the preview…</source>
        <translation>Vorschau entsteht…</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Map and tune</source>
        <translation>Karte und Abstimmung</translation>
    </message>
    <message>
        <source>Map of settings</source>
        <translation>Karte der Einstellungen</translation>
    </message>
    <message>
        <source>Map of settings: speed of training over two of them, and the paths of tuners</source>
        <translation>Karte der Einstellungen: Geschwindigkeit des Trainings über zwei davon, und die Wege der Tuner</translation>
    </message>
    <message>
        <source>Maps the speed of training over two settings of A's policy, and shows how tuners search it</source>
        <translation>Kartiert das Trainingstempo über zwei Einstellungen der Policy von A und zeigt, wie Tuner darin suchen</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Markdown as GitHub reads it</source>
        <translation>Markdown, wie GitHub es liest</translation>
    </message>
    <message>
        <source>Marked iteration</source>
        <translation>Markierte Iteration</translation>
    </message>
    <message>
        <source>Max. per server</source>
        <translation>Max. je Server</translation>
    </message>
    <message>
        <source>Maximum number of execution plans that S-Exec and SYNDICATE judge in each chain; a chain ends early after more than half of them without an improvement. Random draws as many as SYNDICATE may judge.</source>
        <translation>Höchstzahl der Ausführungspläne, die S-Exec und SYNDICATE in jeder Kette beurteilen; eine Kette endet vorzeitig, wenn mehr als die Hälfte davon nichts Besseres ergeben hat. Random zieht so viele, wie SYNDICATE beurteilen darf.</translation>
    </message>
    <message>
        <source>Maximum number of settings that each tuner may judge.</source>
        <translation>Höchstzahl der Einstellungen, die jeder Tuner beurteilen darf.</translation>
    </message>
    <message>
        <source>Maximum number of settings that the tuner may judge each time. They cost the job nothing. As usual: all points of a grid, %1 settings for other tuners.</source>
        <translation>Höchstzahl der Einstellungen, die der Tuner jedes Mal beurteilen darf. Sie kosten den Job nichts. Wie üblich: alle Punkte eines Gitters, für andere Tuner %1 Einstellungen.</translation>
    </message>
    <message>
        <source>Maximum number of workers</source>
        <translation>Höchstzahl der Worker</translation>
    </message>
    <message>
        <source>Maximum number of workers (W) of the curve, which begins at 1.</source>
        <translation>Höchstzahl der Worker (W) der Kurve, die bei 1 beginnt.</translation>
    </message>
    <message>
        <source>Maximum number of workers to simulate</source>
        <translation>Höchstzahl der simulierten Worker</translation>
    </message>
    <message>
        <source>Maximum number of workers to simulate, from 1 on. The largest numbers take the longest.</source>
        <translation>Höchstzahl der Worker, die von 1 an simuliert werden. Die größten Zahlen dauern am längsten.</translation>
    </message>
    <message>
        <source>Maximum rate of the link, after its efficiency</source>
        <translation>Höchste Rate des Links, mit seinem Wirkungsgrad gerechnet</translation>
    </message>
    <message>
        <source>Mean length of the transfers.</source>
        <translation>Mittlere Länge der Übertragungen.</translation>
    </message>
    <message>
        <source>Mean of %1 runs</source>
        <translation>Mittel aus %1 Läufen</translation>
    </message>
    <message>
        <source>Mean of the last full iterations</source>
        <translation>Mittel der letzten vollen Iterationen</translation>
    </message>
    <message>
        <source>Meaning of the links' colours</source>
        <translation>Bedeutung der Farben der Verbindungen</translation>
    </message>
    <message>
        <source>Meas&amp;ured…</source>
        <translation>Ge&amp;messen…</translation>
    </message>
    <message>
        <source>Measure a stretch</source>
        <translation>Einen Zeitraum messen</translation>
    </message>
    <message>
        <source>Measured collectives (*.csv);;All files (*)</source>
        <translation>Gemessene Kollektive (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Measured series</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Measured step of all ranks: %1; with rank %2 as fast as the median: %3, %4</source>
        <translation>Gemessener Schritt aller Ränge: %1; mit Rang %2 so schnell wie der Median: %3, %4</translation>
    </message>
    <message>
        <source>Measured throughput</source>
        <translation>Gemessener Durchsatz</translation>
    </message>
    <message>
        <source>Measured, %1: computes %2, copies memory for %3, waits %4 for communication and %5 for its host or for other ranks. Only a simulation can say what caused the waits.</source>
        <translation>Gemessen, %1: rechnet %2, kopiert %3 lang Speicherinhalte, wartet %4 auf Kommunikation und %5 auf seinen Host oder andere Ränge. Was die Wartezeiten verursacht, kann nur eine Simulation sagen.</translation>
    </message>
    <message>
        <source>Measured, %1: computes %2, waits %3 for communication and %4 for its host or for other ranks. Only a simulation can say what caused the waits.</source>
        <translation>Gemessen, %1: rechnet %2, wartet %3 auf Kommunikation und %4 auf seinen Host oder andere Ränge. Was die Wartezeiten verursacht, kann nur eine Simulation sagen.</translation>
    </message>
    <message>
        <source>Measured, not simulated: %1.</source>
        <translation>Gemessen, nicht simuliert: %1.</translation>
    </message>
    <message>
        <source>Measured: imported from a Chakra trace, %1.</source>
        <translation>Gemessen: aus einem Chakra-Trace übernommen, %1.</translation>
    </message>
    <message>
        <source>Measured: imported from a PipeDream layer profile, %1.</source>
        <translation>Gemessen: aus einem Schichtenprofil von PipeDream übernommen, %1.</translation>
    </message>
    <message>
        <source>Measured: imported from a PyTorch profile, %1.</source>
        <translation>Gemessen: aus einem PyTorch-Profil übernommen, %1.</translation>
    </message>
    <message>
        <source>Measured: imported from a TensorFlow timeline, %1.</source>
        <translation>Gemessen: aus einer TensorFlow-Zeitachse übernommen, %1.</translation>
    </message>
    <message>
        <source>Megatron-LM's buckets of parameters, in reverse order, and its sharded optimiser</source>
        <translation>Megatron-LMs Buckets von Parametern, in umgekehrter Reihenfolge, und sein verteilter Optimierer</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory that the buffers of the plan's collectives may take in a process, such as 2GiB; empty: no limit. It bounds S-Exec, SYNDICATE and Random.</source>
        <translation>Speicher, den die Puffer der Kollektive des Plans in einem Prozess belegen dürfen, etwa 2GiB; leer: unbegrenzt. Er begrenzt S-Exec, SYNDICATE und Random.</translation>
    </message>
    <message>
        <source>Memory: %1</source>
        <translation>Speicher: %1</translation>
    </message>
    <message>
        <source>Message costs, logs of collectives, profiles (*.csv *.log *.txt *.json *.json.gz *.gz);;All files (*)</source>
        <translation>Nachrichtenkosten, Kollektiv-Protokolle, Profile (*.csv *.log *.txt *.json *.json.gz *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Messages between nodes are segments of TCP connections, which wait at links first come, first served; nothing is lost. Traffic inside nodes and analytic collectives share links max-min fairly beside them. A node is one worker whose devices compute in step.</source>
        <translation>Nachrichten zwischen Knoten sind Segmente von TCP-Verbindungen, die an Links in der Reihenfolge ihres Eintreffens bedient werden; nichts geht verloren. Verkehr innerhalb der Knoten und analytische Kollektive teilen sich daneben die Links max-min-fair. Ein Knoten ist ein Worker, dessen Geräte im Gleichschritt rechnen.</translation>
    </message>
    <message>
        <source>Meta-network: %1</source>
        <translation>Meta-Netz: %1</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Minimum gain for a change</source>
        <translation>Geändert ab einem Gewinn von</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Es fehlt</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Model of its devices, for display only: "T4".</source>
        <translation>Modell seiner Geräte, nur zur Anzeige: „T4“.</translation>
    </message>
    <message>
        <source>Model replicas in all (GPUs).</source>
        <translation>Replikate des Modells insgesamt (GPUs).</translation>
    </message>
    <message>
        <source>Modelled ends of %1 downlink streams miss the recorded ones by %2 % on average, %3 % at the median, %4 % at the 95th percentile and %5 % at most.</source>
        <translation>Modellierte Enden von %1 Downlink-Streams verfehlen die aufgezeichneten um %2 % im Mittel, %3 % im Median, %4 % im 95. Perzentil und höchstens %5 %.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Module size</source>
        <translation>Modulgröße</translation>
    </message>
    <message>
        <source>Motifs</source>
        <translation>Motive</translation>
    </message>
    <message>
        <source>Motifs on channels with a link in common share it; %1</source>
        <translation>Motive auf Kanälen mit einem gemeinsamen Link teilen ihn; %1</translation>
    </message>
    <message>
        <source>Motifs take the measured times of their kind and size (%1 curves); others follow from the channel's latency and bandwidth.</source>
        <translation>Motive dauern so lange, wie für ihre Art und Größe gemessen (%1 Kurven); andere folgen aus Latenz und Bandbreite des Kanals.</translation>
    </message>
    <message>
        <source>Motifs take the steps of their algorithm times the channel's latency, and the bytes that a process sends over its bandwidth.</source>
        <translation>Ein Motiv dauert so viele Kanallatenzen, wie sein Algorithmus Schritte hat, plus die Bytes, die ein Prozess sendet, geteilt durch die Bandbreite des Kanals.</translation>
    </message>
    <message>
        <source>Motifs that this channel runs in every iteration, in their order</source>
        <translation>Was dieser Kanal in jeder Iteration ausführt, in dieser Reihenfolge</translation>
    </message>
    <message>
        <source>Motifs, channels and orders of the plan that B (or A) shows</source>
        <translation>Motive, Kanäle und Reihenfolgen des Plans, den B (oder A) zeigt</translation>
    </message>
    <message>
        <source>Move %1 to %2</source>
        <translation>%1 nach %2 verlegen</translation>
    </message>
    <message>
        <source>Move it to…</source>
        <translation>Versetzen nach…</translation>
    </message>
    <message>
        <source>Move lane &amp;down</source>
        <translation>Spur nach u&amp;nten</translation>
    </message>
    <message>
        <source>Move lane &amp;up</source>
        <translation>Spur nach &amp;oben</translation>
    </message>
    <message>
        <source>Move the lane</source>
        <translation>Spur verschieben</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>N in a timeline writes a note. Double click or F2 edits it, Enter shows its place, Delete removes it.</source>
        <translation>N in einer Zeitachse schreibt eine Notiz. Doppelklick oder F2 bearbeitet sie, Eingabe zeigt ihre Stelle, Entf entfernt sie.</translation>
    </message>
    <message>
        <source>NCCL opens one socket for each channel of a ring of a communicator, on AWS 16 (two threads with eight each), on Google Cloud 4; with gloo a pair of processes has one (sharing=all)</source>
        <translation>NCCL öffnet einen Socket für jeden Kanal eines Rings eines Kommunikators, auf AWS 16 (zwei Threads mit je acht), auf Google Cloud 4; mit gloo hat ein Paar von Prozessen einen (sharing=all)</translation>
    </message>
    <message>
        <source>NCCL_ALGO and NCCL_PROTO</source>
        <translation>NCCL_ALGO und NCCL_PROTO</translation>
    </message>
    <message>
        <source>NLopt's DIRECT: the most promising rectangles are divided</source>
        <translation>NLopts DIRECT: Die vielversprechendsten Rechtecke werden geteilt</translation>
    </message>
    <message>
        <source>NLopt's simplex of Nelder and Mead, from the present setting</source>
        <translation>NLopts Simplex von Nelder und Mead, von der jetzigen Einstellung aus</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the op, of the layer and its phase, or of the stream. Entries of the same name are compared.</source>
        <translation>Name der Operation, der Schicht und ihrer Phase oder des Streams. Einträge gleichen Namens werden verglichen.</translation>
    </message>
    <message>
        <source>Neither A nor B shows a strategy that a policy could send.</source>
        <translation>Weder A noch B zeigt eine Strategie, und nur für diese gilt eine Policy.</translation>
    </message>
    <message>
        <source>Neither A nor B uses one of the policies %1.</source>
        <translation>Weder A noch B benutzt eine der Policys %1.</translation>
    </message>
    <message>
        <source>Neither A nor B uses the policy %1.</source>
        <translation>Weder A noch B benutzt die Policy %1.</translation>
    </message>
    <message>
        <source>Neither ProfilerStep nor Optimizer.step was recorded: the whole profile counts as one step.</source>
        <translation>Weder ProfilerStep noch Optimizer.step wurde aufgezeichnet: Das ganze Profil zählt als ein Schritt.</translation>
    </message>
    <message>
        <source>Neither trace marks steps: all of both is compared, however long each was recorded.</source>
        <translation>Keiner der Traces markiert Schritte: Beide werden ganz verglichen, wie lange auch jeder aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>Nächster (Eingabe)</translation>
    </message>
    <message>
        <source>No AccumulateGrad was recorded, so nothing says which ops own variables: %1 autograd nodes make %2 layers.</source>
        <translation>Kein AccumulateGrad wurde aufgezeichnet, also sagt nichts, welche Ops Variablen besitzen: %1 Autograd-Knoten ergeben %2 Schichten.</translation>
    </message>
    <message>
        <source>No ProfilerStep annotation was recorded: each of the %1 optimizer steps ends a training step.</source>
        <translation>Keine ProfilerStep-Annotation wurde aufgezeichnet: Jeder der %1 Schritte des Optimierers beendet einen Trainingsschritt.</translation>
    </message>
    <message>
        <source>No ProfilerStep annotation was recorded: the optimizer's only step ends the training step.</source>
        <translation>Keine ProfilerStep-Annotation wurde aufgezeichnet: Der einzige Schritt des Optimierers beendet den Trainingsschritt.</translation>
    </message>
    <message>
        <source>No backward op could be paired with a forward op: the backward time is shared out in proportion to the layers' forward times.</source>
        <translation>Keine Op des Rückwärtslaufs ließ sich mit einer des Vorwärtslaufs paaren: Seine Zeit ist im Verhältnis der Vorwärtszeiten auf die Schichten verteilt.</translation>
    </message>
    <message>
        <source>No barrier: layers wait for their own variables</source>
        <translation>Keine Barriere: Schichten warten auf ihre eigenen Variablen</translation>
    </message>
    <message numerus="yes">
        <source>No bottleneck up to %n workers; %1 there.</source>
        <translation>
            <numerusform>Kein Engpass bis %n Worker; dort %1.</numerusform>
            <numerusform>Kein Engpass bis %n Worker; dort %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>No cluster is loaded.</source>
        <translation>Kein Cluster geladen.</translation>
    </message>
    <message>
        <source>No collective was recorded, although the run had %1 ranks; record a step that synchronises.</source>
        <translation>Es wurde kein Kollektiv aufgezeichnet, obwohl der Lauf %1 Ränge hatte; zeichnen Sie einen Schritt auf, der synchronisiert.</translation>
    </message>
    <message>
        <source>No collective was recorded: one worker, without synchronisation.</source>
        <translation>Kein Kollektiv wurde aufgezeichnet: ein Worker, ohne Abgleich.</translation>
    </message>
    <message>
        <source>No collectives were recorded: this is for PyTorch profiles and Chakra traces of distributed training.</source>
        <translation>Nichts aufgezeichnet: Das gibt es für PyTorch-Profile und Chakra-Traces verteilten Trainings.</translation>
    </message>
    <message>
        <source>No device work: %1 outermost CPU ops keep the threads busy for %2; %3.</source>
        <translation>Keine Arbeit auf Geräten: %1 äußerste CPU-Ops beschäftigen die Threads %2 lang; %3.</translation>
    </message>
    <message>
        <source>No difference of exposed communication: %1</source>
        <translation>Keine Differenz der unverdeckten Kommunikation: %1</translation>
    </message>
    <message>
        <source>No faster link alone would save time: others are equally slow</source>
        <translation>Keine schnellere Verbindung allein würde Zeit sparen: Andere sind ebenso langsam</translation>
    </message>
    <message>
        <source>No faster link would save time: no transfer is on the critical path</source>
        <translation>Keine schnellere Verbindung würde Zeit sparen: Auf dem kritischen Pfad ist keine Übertragung</translation>
    </message>
    <message>
        <source>No faster link would save time: the critical path's transfers are at their connections' own limits</source>
        <translation>Keine schnellere Verbindung würde Zeit sparen: Die Übertragungen des kritischen Pfads sind an der Grenze, die jede für sich hat</translation>
    </message>
    <message>
        <source>No flow control: transfers go whole.</source>
        <translation>Keine Flusskontrolle: Übertragungen laufen ganz.</translation>
    </message>
    <message>
        <source>No layer has the same name in both: no two of them are compared.</source>
        <translation>Keine Schicht heißt in beiden gleich: Keine zwei werden verglichen.</translation>
    </message>
    <message>
        <source>No link limits this: a faster one would save nothing.</source>
        <translation>Kein Link begrenzt hier: Ein schnellerer würde nichts sparen.</translation>
    </message>
    <message>
        <source>No matching spans</source>
        <translation>Keine passenden Abschnitte</translation>
    </message>
    <message>
        <source>No measured point is at a predicted number of workers.</source>
        <translation>Kein gemessener Punkt liegt bei einer vorhergesagten Zahl von Workern.</translation>
    </message>
    <message>
        <source>No notes yet. N in a timeline writes one at the pointer, the selected span or the selected stretch.</source>
        <translation>Noch keine Notizen. N in einer Zeitachse schreibt eine am Zeiger, am gewählten Abschnitt oder am gewählten Zeitraum.</translation>
    </message>
    <message>
        <source>No number of workers can be simulated: %1</source>
        <translation>Keine Zahl von Workern lässt sich simulieren: %1</translation>
    </message>
    <message>
        <source>No op has the same name in both: no two of them are compared.</source>
        <translation>Keine Op heißt in beiden gleich: Keine zwei werden verglichen.</translation>
    </message>
    <message>
        <source>No parsing overhead is charged: %1, fitted to the profile's downlinks, %2. Their delay behind the model has another cause, such as another HTTP/2 window.</source>
        <translation>Es wird kein Parsing-Aufwand berechnet: %1, angepasst an die Downlinks des Profils, %2. Was sie hinter dem Modell liegen, hat eine andere Ursache, etwa ein anderes HTTP/2-Fenster.</translation>
    </message>
    <message>
        <source>No parsing overhead is charged: the profile's downlinks show none.</source>
        <translation>Es wird kein Parsing-Aufwand berechnet: Die Downlinks des Profils zeigen keinen.</translation>
    </message>
    <message>
        <source>No plan of these collectives on these channels has iterations below %1; this one is %2.</source>
        <translation>Kein Plan dieser Kollektive auf diesen Kanälen hat Iterationen unter %1; dieser liegt %2.</translation>
    </message>
    <message>
        <source>No plans yet.</source>
        <translation>Noch keine Pläne.</translation>
    </message>
    <message>
        <source>No search yet: Ctrl+R starts one.</source>
        <translation>Noch keine Suche: Strg+R startet eine.</translation>
    </message>
    <message>
        <source>No side shows the measured step: choose “measured” as the strategy of A to see its spans.</source>
        <translation>Keine Seite zeigt das Gemessene: Wählen Sie „measured“ als Strategie von A, um seine Abschnitte zu sehen.</translation>
    </message>
    <message>
        <source>No stream has the same name in both: no two of them are compared.</source>
        <translation>Kein Stream heißt in beiden gleich: Keine zwei werden verglichen.</translation>
    </message>
    <message>
        <source>No trainable variable was recorded: nothing will be synchronised in a simulation of this job.</source>
        <translation>Keine trainierbare Variable wurde aufgezeichnet: In einer Simulation dieses Jobs wird nichts abgeglichen.</translation>
    </message>
    <message>
        <source>No variable has a known size: neither shapes (record_shapes=True) nor gradient collectives with sizes were recorded. Nothing will be synchronised in a simulation of this job.</source>
        <translation>Von keiner Variablen ist die Größe bekannt: Weder Formen (record_shapes=True) noch Gradientenkollektive mit Größen wurden aufgezeichnet. In einer Simulation dieses Jobs wird nichts abgeglichen.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes and the load of their links. Arrow keys go from node to node.</source>
        <translation>Knoten und die Last ihrer Verbindungen. Die Pfeiltasten gehen von Knoten zu Knoten.</translation>
    </message>
    <message>
        <source>Nodes have up to %1 processes, and not all equally many: collectives take the time that they would on nodes of %2, each with its share of the links; bounds are for nodes of %3.</source>
        <translation>Knoten haben bis zu %1 Prozesse und nicht alle gleich viele: Kollektive brauchen so lange wie auf Knoten mit %2, von denen jeder seinen Anteil der Verbindungen hat; Schranken sind die von Knoten mit %3.</translation>
    </message>
    <message>
        <source>Nodes of the cluster, dedicated servers included.</source>
        <translation>Knoten des Clusters, eigene Server eingeschlossen.</translation>
    </message>
    <message>
        <source>Nodes, servers among them, times the iteration, at the price per node and hour; node-seconds where no price is set.</source>
        <translation>Knoten, Server eingeschlossen, mal Iteration, zum Preis je Knoten und Stunde; Knotensekunden, wo kein Preis gesetzt ist.</translation>
    </message>
    <message numerus="yes">
        <source>None of %n changes that were tried helps.</source>
        <translation>
            <numerusform>Die eine probierte Änderung hilft nicht.</numerusform>
            <numerusform>Keine von %n probierten Änderungen hilft.</numerusform>
        </translation>
    </message>
    <message>
        <source>None of them can be simulated.</source>
        <translation>Keines davon lässt sich simulieren.</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Nichts.</translation>
    </message>
    <message>
        <source>Not calibrated: the cluster was changed while %1 was read. Calibrate again.</source>
        <translation>Nicht kalibriert: Der Cluster wurde geändert, während %1 gelesen wurde. Kalibrieren Sie noch einmal.</translation>
    </message>
    <message>
        <source>Not in the file: %1</source>
        <translation>Nicht in der Datei: %1</translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>Nicht gelesen: %1</translation>
    </message>
    <message>
        <source>Not simulated: only the first %1 links are.</source>
        <translation>Nicht simuliert: nur die ersten %1 Verbindungen werden es.</translation>
    </message>
    <message>
        <source>Not used: %1.</source>
        <translation>Nicht verwendet: %1.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note; Enter keeps it, Esc does not</source>
        <translation>Notiz; Eingabe behält sie, Esc nicht</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Notes on the curves</source>
        <translation>Hinweise zu den Kurven</translation>
    </message>
    <message>
        <source>Nothing higher: the slider ends at %1.</source>
        <translation>Nichts Größeres: Der Schieber endet bei %1.</translation>
    </message>
    <message>
        <source>Nothing is kept yet. Ctrl+D keeps the present A and B, to return to them or to compare with them. Winners of a search and points of a sweep are listed here, too.</source>
        <translation>Noch nichts behalten. Strg+D behält, was A und B jetzt sind, um darauf zurückzukommen oder damit zu vergleichen. Gewinner einer Suche und Punkte eines Durchlaufs stehen auch hier.</translation>
    </message>
    <message>
        <source>Nothing is loaded</source>
        <translation>Nichts geladen</translation>
    </message>
    <message>
        <source>Nothing is loaded yet.</source>
        <translation>Noch nichts geladen.</translation>
    </message>
    <message>
        <source>Nothing is lost: &lt;b&gt;Ctrl+Z&lt;/b&gt; undoes one step, &lt;b&gt;Ctrl+Shift+Z&lt;/b&gt; does it again. A whole drag is one step.</source>
        <translation>Nichts geht verloren: &lt;b&gt;Strg+Z&lt;/b&gt; macht einen Schritt rückgängig, &lt;b&gt;Strg+Umschalt+Z&lt;/b&gt; stellt ihn wieder her. Ein ganzer Zug ist ein Schritt.</translation>
    </message>
    <message>
        <source>Nothing is predicted yet.</source>
        <translation>Noch nichts vorhergesagt.</translation>
    </message>
    <message>
        <source>Nothing is simulated on it: links have no load to show.</source>
        <translation>Nichts wird darauf simuliert: Die Verbindungen haben keine Last.</translation>
    </message>
    <message>
        <source>Nothing is simulated yet.</source>
        <translation>Noch nichts simuliert.</translation>
    </message>
    <message>
        <source>Nothing lower: the slider begins at %1.</source>
        <translation>Nichts Kleineres: Der Schieber beginnt bei %1.</translation>
    </message>
    <message>
        <source>Nothing that the simulation needs.</source>
        <translation>Nichts, was die Simulation braucht.</translation>
    </message>
    <message>
        <source>Nothing to fit: “%1” has no recorded transfers. Open TensorFlow timelines of a worker and its parameter server (a folder of steps), which record when each tensor was requested and when it became usable.</source>
        <translation>Nichts anzupassen: „%1“ hat keine aufgezeichneten Übertragungen. Öffnen Sie TensorFlow-Zeitachsen eines Workers und seines Parameterservers (einen Ordner mit Schritten); sie sagen, wann jeder Tensor angefordert wurde und wann er verwendbar war.</translation>
    </message>
    <message>
        <source>Nothing was opened yet</source>
        <translation>Noch nichts geöffnet</translation>
    </message>
    <message>
        <source>Nsight Systems export, %1; %2 processes%3.</source>
        <translation>Export von Nsight Systems, %1; %2 Prozesse%3.</translation>
    </message>
    <message>
        <source>Nsight Systems export, processes: %1.</source>
        <translation>Export von Nsight Systems, Prozesse: %1.</translation>
    </message>
    <message>
        <source>Number of workers, each training asynchronously</source>
        <translation>Zahl der Worker, die je asynchron trainieren</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX-Modell</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Objective to minimise. Iteration time: %1 Exposed communication: %2</source>
        <translation>Zu minimierendes Ziel. Iterationszeit: %1 Unverdeckte Kommunikation: %2</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Of A</source>
        <translation>Von A</translation>
    </message>
    <message>
        <source>Of a picture: how messages between nodes share links, fluid or tcp.</source>
        <translation>Für ein Bild: wie sich Nachrichten zwischen Knoten Verbindungen teilen, fluid oder tcp.</translation>
    </message>
    <message>
        <source>Of older settings. </source>
        <translation>Von älteren Einstellungen. </translation>
    </message>
    <message>
        <source>Of the groups of %1 collectives only names are in the trace.</source>
        <translation>Von den Gruppen von %1 Kollektiven stehen nur Namen im Trace.</translation>
    </message>
    <message>
        <source>Of the step</source>
        <translation>Vom Schritt</translation>
    </message>
    <message>
        <source>On path</source>
        <translation>Auf dem Pfad</translation>
    </message>
    <message>
        <source>On the critical path; with compute it adds up to the iteration</source>
        <translation>Auf dem kritischen Pfad; mit dem Rechnen ergibt es zusammen die Iteration</translation>
    </message>
    <message>
        <source>One HTML file: A and B, knobs with units, timelines, strategy, assumptions and versions. Dark or light as the reader's browser, light on paper.</source>
        <translation>Eine HTML-Datei: A und B, Regler mit Einheiten, Zeitachsen, Strategie, Annahmen und Versionen. Dunkel oder hell wie beim Leser, hell auf Papier.</translation>
    </message>
    <message>
        <source>One SELECT in SQLite's SQL. Times are in ns, sizes in bytes.

%1</source>
        <translation>Ein SELECT in SQLites SQL. Zeiten in ns, Größen in Bytes.

%1</translation>
    </message>
    <message>
        <source>One clock for all rows, each from its iteration's start to its dashed line. Ctrl+wheel zooms, Shift+wheel pans, F fits; a click shows a row in B.</source>
        <translation>Eine Uhr für alle Zeilen, jede vom Beginn ihrer Iteration bis zu ihrer gestrichelten Linie. Strg+Rad zoomt, Umschalt+Rad verschiebt, F passt ein; ein Klick zeigt eine Zeile in B.</translation>
    </message>
    <message>
        <source>One connection between a worker and a server on its node carries at most %1.</source>
        <translation>Eine Verbindung zwischen einem Worker und einem Server auf seinem Knoten trägt höchstens %1.</translation>
    </message>
    <message>
        <source>One connection between two nodes carries at most %1, and each pair has %2 in each direction, %3.</source>
        <translation>Eine Verbindung zwischen zwei Knoten trägt höchstens %1, und jedes Paar hat %2 je Richtung, %3.</translation>
    </message>
    <message>
        <source>One connection carries at most %1 between two nodes of a rack and %2 between racks; each pair has %3 in each direction, %4.</source>
        <translation>Eine Verbindung trägt höchstens %1 zwischen zwei Knoten eines Racks und %2 zwischen Racks; jedes Paar hat %3 je Richtung, %4.</translation>
    </message>
    <message>
        <source>One direction of a node's link, or the links inside a node; of folded nodes, one stands for all</source>
        <translation>Eine Richtung des Links eines Knotens oder die Links in einem Knoten; von zusammengefassten Knoten steht einer für alle</translation>
    </message>
    <message>
        <source>One iteration of each: computing above, communication below. It ends at the dashed line.</source>
        <translation>Von jeder eine Iteration: oben Rechnen, unten Kommunikation. Sie endet an der gestrichelten Linie.</translation>
    </message>
    <message>
        <source>One iteration of every planner's plan, on one clock</source>
        <translation>Eine Iteration des Plans jedes Planers, auf einer Uhr</translation>
    </message>
    <message>
        <source>One start: intervals do not know of patterns that workers keep to for a whole run; more starts do.</source>
        <translation>Ein Start: Intervalle wissen nichts von Mustern, bei denen Worker einen ganzen Lauf lang bleiben; mehr Starts schon.</translation>
    </message>
    <message>
        <source>One step: the job's own times.</source>
        <translation>Ein Schritt: die eigenen Zeiten des Jobs.</translation>
    </message>
    <message>
        <source>One timeline is one session.run, which counts as one step.</source>
        <translation>Eine Zeitachse ist ein session.run, das als ein Schritt zählt.</translation>
    </message>
    <message>
        <source>One way is the fastest for all sizes.</source>
        <translation>Eine Art ist für alle Größen die schnellste.</translation>
    </message>
    <message>
        <source>Only a simulation can tell the effect of a knob or a faster link. This side is measured.</source>
        <translation>Nur eine Simulation kann sagen, was ein Regler oder ein schnellerer Link ändern würde. Diese Seite zeigt, was gemessen wurde.</translation>
    </message>
    <message>
        <source>Only files of this machine can be dropped.</source>
        <translation>Nur Dateien dieses Rechners lassen sich hier ablegen.</translation>
    </message>
    <message>
        <source>Only the first lane of every worker; C for one</source>
        <translation>Nur die erste Spur jedes Workers; C für einen einzelnen</translation>
    </message>
    <message>
        <source>Op: spans of the same name. Layer: forward and backward of the job's layers. Stream: how long a lane is busy.</source>
        <translation>Operation: Abschnitte gleichen Namens. Schicht: vorwärts und rückwärts der Schichten des Jobs. Stream: wie lange eine Spur beschäftigt ist.</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Open %1 of the catalogue</source>
        <translation>%1 aus dem Katalog öffnen</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>&amp;Ordner öffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open &amp;sample</source>
        <translation>B&amp;eispiel öffnen</translation>
    </message>
    <message>
        <source>Open a DAG file…</source>
        <translation>DAG-Datei öffnen…</translation>
    </message>
    <message>
        <source>Open a cluster</source>
        <translation>Cluster öffnen</translation>
    </message>
    <message>
        <source>Open a cluster file…</source>
        <translation>Clusterdatei öffnen…</translation>
    </message>
    <message>
        <source>Open a cluster: resource_spec.yml, nvidia-smi topo -m, NCCL XML, ASTRA-sim network or InfraGraph</source>
        <translation>Einen Cluster öffnen: resource_spec.yml, nvidia-smi topo -m, NCCL-XML, ASTRA-sim-Netz oder InfraGraph</translation>
    </message>
    <message>
        <source>Open a plan for this DAG</source>
        <translation>Einen Plan für diesen DAG öffnen</translation>
    </message>
    <message>
        <source>Open a profile first</source>
        <translation>Öffnen Sie zuerst ein Profil</translation>
    </message>
    <message>
        <source>Open a profile first; it is A, and the trace to compare it with is B.</source>
        <translation>Öffnen Sie zuerst ein Profil; es ist A, und womit es verglichen wird, ist B.</translation>
    </message>
    <message>
        <source>Open a profile, job, cluster or project file</source>
        <translation>Eine Profil-, Job-, Cluster- oder Projektdatei öffnen</translation>
    </message>
    <message>
        <source>Open a profile, job, training DAG, cluster or project</source>
        <translation>Profil, Job, Trainings-DAG, Cluster oder Projekt öffnen</translation>
    </message>
    <message>
        <source>Open a profile…</source>
        <translation>Profil öffnen…</translation>
    </message>
    <message>
        <source>Open another window, to load something else</source>
        <translation>Ein weiteres Fenster, um etwas anderes zu laden</translation>
    </message>
    <message>
        <source>Open c&amp;luster…</source>
        <translation>C&amp;luster öffnen…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open folder as ranks</source>
        <translation>Ordner als Ränge öffnen</translation>
    </message>
    <message>
        <source>Open from the &amp;catalogue</source>
        <translation>Aus dem &amp;Katalog öffnen</translation>
    </message>
    <message>
        <source>Open it, then export again</source>
        <translation>Öffnen Sie ihn und exportieren Sie noch einmal</translation>
    </message>
    <message>
        <source>Open measured collectives…</source>
        <translation>Gemessene Kollektive öffnen…</translation>
    </message>
    <message>
        <source>Open profile…</source>
        <translation>Profil öffnen…</translation>
    </message>
    <message>
        <source>Open sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open the bundled sample</source>
        <translation>Das mitgelieferte Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open the bundled sample.</source>
        <translation>Öffnet das mitgelieferte Beispiel.</translation>
    </message>
    <message>
        <source>Open the folder of a job's ranks</source>
        <translation>Den Ordner der Ränge eines Jobs öffnen</translation>
    </message>
    <message>
        <source>Open the traces of all ranks of a job, which are in one folder</source>
        <translation>Die Traces aller Ränge eines Jobs öffnen, die in einem Ordner liegen</translation>
    </message>
    <message>
        <source>Opened %1</source>
        <translation>%1 geöffnet</translation>
    </message>
    <message>
        <source>Opened %1, one of %2 files. Drop the others one at a time.</source>
        <translation>Von %2 Dateien wurde %1 geöffnet. Ziehen Sie die anderen einzeln herein.</translation>
    </message>
    <message>
        <source>Opened %1, one of %2 files. To open all ranks of a job, open their folder.</source>
        <translation>Von %2 Dateien wurde %1 geöffnet. Um alle Ränge eines Jobs zu sehen, öffnen Sie ihren Ordner.</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Order of the channel</source>
        <translation>Reihenfolge des Kanals</translation>
    </message>
    <message>
        <source>Other models</source>
        <translation>Andere Modelle</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Others' traffic as shares of links (0 to 1) over time (seconds from the start of a run), such as worker0.up:0.3@0-2s,server0.down:0.5@1-4s.</source>
        <translation>Verkehr anderer als Anteil von Verbindungen (0 bis 1) über der Zeit (Sekunden ab Beginn eines Laufs), etwa worker0.up:0.3@0-2s,server0.down:0.5@1-4s.</translation>
    </message>
    <message>
        <source>Over the visible %1: ↑ sent, ↓ received</source>
        <translation>Über die sichtbaren %1: ↑ gesendet, ↓ empfangen</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Overlap in two minutes, on the sample</source>
        <translation>Überlappung in zwei Minuten, am Beispiel</translation>
    </message>
    <message>
        <source>Overlapped</source>
        <translation>Überlappt</translation>
    </message>
    <message>
        <source>Overlapped by compute</source>
        <translation>Vom Rechnen überlappt</translation>
    </message>
    <message>
        <source>Overlapping transfers as &amp;strips</source>
        <translation>Überlappende Übertragungen als &amp;Streifen</translation>
    </message>
    <message>
        <source>Overview of the whole run</source>
        <translation>Überblick über den ganzen Lauf</translation>
    </message>
    <message>
        <source>Own time</source>
        <translation>Eigene Zeit</translation>
    </message>
    <message>
        <source>Own time: of a step, all but its waits for collectives (mean of the steps).
Behind: its own time less the median rank's; at worst: in its worst step.
Step then: the measured steps played with this rank's own times cut to the median's.</source>
        <translation>Eigene Zeit: ein Schritt ohne sein Warten auf Kollektive (Mittel der Schritte).
Zurück: die eigene Zeit minus die des mittleren Rangs (Median); schlimmstenfalls: im schlimmsten Schritt.
Schritt dann: die gemessenen Schritte, gespielt mit den eigenen Zeiten dieses Rangs, gekürzt auf die des Medians.</translation>
    </message>
    <message>
        <source>PNG has pixels; SVG and PDF can be enlarged</source>
        <translation>PNG hat Pixel; SVG und PDF lassen sich vergrößern</translation>
    </message>
    <message>
        <source>PS %1</source>
        <translation>PS %1</translation>
    </message>
    <message numerus="yes">
        <source>PS %1 in %n parts</source>
        <translation>
            <numerusform>PS %1 in %n Teil</numerusform>
            <numerusform>PS %1 in %n Teilen</numerusform>
        </translation>
    </message>
    <message>
        <source>PS size</source>
        <translation>PS-Größe</translation>
    </message>
    <message>
        <source>PS vars</source>
        <translation>PS-Var.</translation>
    </message>
    <message>
        <source>Pairs that are tried, each unlike the earlier ones</source>
        <translation>Paare, die versucht werden, jedes anders als die davor</translation>
    </message>
    <message>
        <source>Pairs…</source>
        <translation>Paare…</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Pane</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Parameter server: each node keeps a copy that its devices read.</source>
        <translation>Parameterserver: Jeder Knoten hält eine Kopie, die seine Geräte lesen.</translation>
    </message>
    <message>
        <source>Parameter server: steps that a worker may be ahead of the slowest; 0 = none.</source>
        <translation>Parameterserver: Schritte, die ein Worker dem langsamsten voraus sein darf; 0 = keiner.</translation>
    </message>
    <message>
        <source>Parameter server: the CPU that reduces the gradients and keeps the value.</source>
        <translation>Parameterserver: die CPU, die die Gradienten reduziert und den Wert hält.</translation>
    </message>
    <message>
        <source>Parameter server: whether a step waits for every worker's gradient.</source>
        <translation>Parameterserver: ob ein Schritt auf den Gradienten jedes Workers wartet.</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>Parameter servers that hold a variable or a part of one.</source>
        <translation>Parameterserver, die eine Variable oder einen Teil davon halten.</translation>
    </message>
    <message>
        <source>Parameters that the text does not name keep the policy's defaults; the knobs marked %1 below write into it.</source>
        <translation>Was der Text nicht nennt, ist so, wie die Policy ausgeliefert wird; die mit %1 bezeichneten Regler darunter schreiben hinein.</translation>
    </message>
    <message>
        <source>Parameters, gradients and optimiser state are sharded over all replicas, and a replica updates its shard. The CPU issues collectives far enough ahead, all-gathers have the gradients' number of bytes, and copies into and out of their buffers are free. Sparse gradients are gathered at once and served variables are not sharded.</source>
        <translation>Parameter, Gradienten und Optimiererzustand sind auf alle Replikate verteilt, und ein Replikat aktualisiert seinen Teil. Die CPU setzt Kollektive weit genug im Voraus ab, All-Gathers haben so viele Bytes wie die Gradienten, und Kopien in ihre Puffer und aus ihnen kosten nichts. Dünn besetzte Gradienten werden sofort eingesammelt, und Variablen auf Servern sind nicht verteilt.</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>Pareto-Front</translation>
    </message>
    <message>
        <source>Parsing</source>
        <translation>Parsen</translation>
    </message>
    <message>
        <source>Parsing a received tensor takes %1 (fitted to the profile's downlinks; one worker's step then takes %2, recorded were %3).</source>
        <translation>Das Parsen eines empfangenen Tensors dauert %1 (angepasst an die Downlinks des Profils; der Schritt eines Workers dauert dann %2, aufgezeichnet waren %3).</translation>
    </message>
    <message>
        <source>Parsing a received tensor takes %1 (given).</source>
        <translation>Das Parsen eines empfangenen Tensors dauert %1 (vorgegeben).</translation>
    </message>
    <message>
        <source>Parsing overhead</source>
        <translation>Parse-Kosten</translation>
    </message>
    <message>
        <source>Parsing overhead over the size of tensors, and the residuals of its fit</source>
        <translation>Parse-Kosten über der Größe der Tensoren und die Residuen der Anpassung</translation>
    </message>
    <message>
        <source>Parsing was fitted to %1 pairs: residuals %2 at the median, %3 at the 95th percentile, %4 at most.</source>
        <translation>Das Parsen wurde an %1 Paare angepasst: Residuen %2 im Median, %3 im 95. Perzentil, höchstens %4.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Part of a name, such as zoom, or of a key, such as ctrl</source>
        <translation>Teil eines Namens, etwa zoom, oder einer Taste, etwa strg</translation>
    </message>
    <message>
        <source>Part of it in which the next motif waited only for the channel.
Another order or channel changes that.</source>
        <translation>Davon der Teil, in dem das nächste Motiv nur auf den Kanal wartete.
Eine andere Reihenfolge oder ein anderer Kanal ändert das.</translation>
    </message>
    <message>
        <source>Part of it that is latency: steps × latency; unknown where times were measured</source>
        <translation>Davon der Teil, der Latenz ist: Schritte × Latenz; unbekannt, wo Zeiten gemessen wurden</translation>
    </message>
    <message>
        <source>Part of it that other motifs on the same links add</source>
        <translation>Davon der Teil, den andere Motive auf denselben Links hinzufügen</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>Partitioned</source>
        <translation>Partitioniert</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Parts in all, a whole variable being one.</source>
        <translation>Teile insgesamt, eine ganze Variable als einer.</translation>
    </message>
    <message>
        <source>Parts of a partitioned variable</source>
        <translation>Teile einer partitionierten Variablen</translation>
    </message>
    <message>
        <source>Parts of the pattern of transfers, of all but all-reduces; must divide the number of processes.</source>
        <translation>Zahl der Teile, in die die Übertragungen zerlegt werden (nicht bei All-Reduces); sie muss die Zahl der Prozesse teilen.</translation>
    </message>
    <message>
        <source>Parts of the payload, one after the other.</source>
        <translation>Teile der Nutzlast, einer nach dem anderen.</translation>
    </message>
    <message>
        <source>Parts that each variable is synchronised in, along its first dimension that is long enough; 1 = whole.</source>
        <translation>Stücke, in denen jede Variable synchronisiert wird, entlang ihrer ersten Dimension, die lang genug ist; 1 = ganz.</translation>
    </message>
    <message>
        <source>Parts that it is synchronised in.</source>
        <translation>Stücke, in denen sie synchronisiert wird.</translation>
    </message>
    <message>
        <source>Past the bottleneck point another worker adds less than this share (per cent) of what the first one brings.</source>
        <translation>Jenseits des Engpasspunkts bringt ein weiterer Worker weniger als diesen Anteil (in Prozent) dessen, was der erste bringt.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Peak memory of the collectives' buffers in a process, as far as the DAG states sizes (docs/plan.md).</source>
        <translation>Spitzenbedarf der Puffer der Kollektive in einem Prozess, soweit der DAG Größen angibt (docs/plan.md).</translation>
    </message>
    <message>
        <source>Per message between nodes, one way.</source>
        <translation>Je Nachricht zwischen Knoten, in eine Richtung.</translation>
    </message>
    <message>
        <source>Perfetto trace: %1 packets, %2 tracks.</source>
        <translation>Perfetto-Trace: %1 Pakete, %2 Spuren.</translation>
    </message>
    <message>
        <source>Piece reset</source>
        <translation>Zurückgesetzt</translation>
    </message>
    <message>
        <source>Pieces of the best strategy</source>
        <translation>Stücke der besten Strategie</translation>
    </message>
    <message>
        <source>Pieces of the best strategy and their worth</source>
        <translation>Stücke der besten Strategie und ihr Wert</translation>
    </message>
    <message>
        <source>Pin the lane to the top</source>
        <translation>Spur oben anheften</translation>
    </message>
    <message>
        <source>Pin to the top (P)</source>
        <translation>Oben anheften (P)</translation>
    </message>
    <message>
        <source>Pinned rows stay on top (P).</source>
        <translation>Angeheftete Zeilen bleiben oben (P).</translation>
    </message>
    <message>
        <source>Pinned: stays on top (P)</source>
        <translation>Angeheftet: bleibt oben (P)</translation>
    </message>
    <message>
        <source>Pitfalls of %1</source>
        <translation>Fallstricke von %1</translation>
    </message>
    <message>
        <source>Pixels of the PNG per pixel on screen</source>
        <translation>Pixel des PNG je Pixel auf dem Bildschirm</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>Plan as</source>
        <translation>Plan als</translation>
    </message>
    <message>
        <source>Plan by all methods; earlier plans are cleared.</source>
        <translation>Mit allen Methoden planen; frühere Pläne werden gelöscht.</translation>
    </message>
    <message>
        <source>Plan compares all planners on this cluster's channels.</source>
        <translation>Planen vergleicht alle Planer auf den Kanälen dieses Clusters.</translation>
    </message>
    <message>
        <source>Plan file…</source>
        <translation>Plandatei…</translation>
    </message>
    <message>
        <source>Plan for %1 twice as fast, with SYNDICATE</source>
        <translation>Mit SYNDICATE für einen doppelt so schnellen Kanal %1 planen</translation>
    </message>
    <message>
        <source>Plan for a second %1, with SYNDICATE</source>
        <translation>Mit SYNDICATE für einen zweiten Kanal wie %1 planen</translation>
    </message>
    <message>
        <source>Plan from the start.</source>
        <translation>Von vorn planen.</translation>
    </message>
    <message>
        <source>Plan shows the timelines of all planners here, one below the other.</source>
        <translation>Planen zeigt hier die Zeitachsen aller Planer untereinander.</translation>
    </message>
    <message>
        <source>Plan with %1</source>
        <translation>Mit %1 planen</translation>
    </message>
    <message>
        <source>Planned, not measured: %1; %2 processes, each motif on its channel in its strict order. Equal processes are played as one.</source>
        <translation>Geplant, nicht gemessen: %1; %2 Prozesse, jedes Motiv auf seinem Kanal in dessen strenger Reihenfolge. Gleiche Prozesse werden als einer gespielt.</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Planning is under way: stop it first.</source>
        <translation>Die Planung läuft: Halten Sie sie zuerst an.</translation>
    </message>
    <message>
        <source>Planning: time of each proposal, best so far and share of accepted ones</source>
        <translation>Planung: Zeit jedes Vorschlags, bisher beste und Anteil der angenommenen</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Plans (*.json);;All files (*)</source>
        <translation>Pläne (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Plans the collectives of a training DAG: their motifs, channels and order</source>
        <translation>Plant die Kollektive eines Trainings-DAG: in welchen Motiven, auf welchen Kanälen, in welcher Reihenfolge</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the conditions from the start.</source>
        <translation>Die Bedingungen von vorn spielen.</translation>
    </message>
    <message>
        <source>Play the iterations of the row selected in the table in %1 s (Space in the plot)</source>
        <translation>Die Iterationen der in der Tabelle gewählten Zeile in %1 s abspielen (Leertaste im Diagramm)</translation>
    </message>
    <message>
        <source>Playing the recorded ranks…</source>
        <translation>Die aufgezeichneten Ränge werden gespielt…</translation>
    </message>
    <message>
        <source>Plays training while bandwidth, other jobs and stragglers change: tuned once, re-tuned, and at best</source>
        <translation>Spielt das Training ab, während sich Bandbreite, andere Jobs und Nachzügler ändern: einmal getunt, neu getunt und bestenfalls</translation>
    </message>
    <message>
        <source>Plotted quantity</source>
        <translation>Dargestellte Größe</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Points drawn before the first proposal, of preset=own</source>
        <translation>Punkte, die vor dem ersten Vorschlag gezogen werden, bei preset=own</translation>
    </message>
    <message>
        <source>Points of the sweep</source>
        <translation>Punkte des Durchlaufs</translation>
    </message>
    <message>
        <source>Points that the sweep simulated. Enter: set the knobs to a point, P: pin, Ctrl+C: copy rows.</source>
        <translation>Was der Durchlauf simuliert hat. Eingabe: Regler auf einen Punkt setzen, P: anheften, Strg+C: Zeilen kopieren.</translation>
    </message>
    <message>
        <source>Policies %1 and %2: %3.</source>
        <translation>Policies %1 und %2: %3.</translation>
    </message>
    <message>
        <source>Policies apply to strategies; a plan has an order of its own.</source>
        <translation>Eine Policy gehört zu Strategien; ein Plan hat eine eigene Reihenfolge.</translation>
    </message>
    <message>
        <source>Policy %1</source>
        <translation>Policy %1</translation>
    </message>
    <message>
        <source>Policy %1: %2</source>
        <translation>Policy %1: %2</translation>
    </message>
    <message>
        <source>Policy %1: %2.</source>
        <translation>Policy %1: %2.</translation>
    </message>
    <message>
        <source>Policy of A</source>
        <translation>Policy von A</translation>
    </message>
    <message>
        <source>Policy of A.</source>
        <translation>Policy von A.</translation>
    </message>
    <message>
        <source>Policy of B</source>
        <translation>Policy von B</translation>
    </message>
    <message>
        <source>Policy of B.</source>
        <translation>Policy von B.</translation>
    </message>
    <message>
        <source>Poseidon's layers all go over the store; none is sent as sufficient factors.</source>
        <translation>Poseidons Schichten gehen alle über den Key-Value-Store; keine wird als Sufficient Factors gesendet.</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Predict the present curve again</source>
        <translation>Die gegenwärtige Kurve noch einmal vorhersagen</translation>
    </message>
    <message>
        <source>Predicted gain, in percent, below which the setting stays.</source>
        <translation>Vorhergesagter Gewinn in Prozent, unter dem die Einstellung bleibt.</translation>
    </message>
    <message>
        <source>Predicted samples (or steps, where the batch is not known: see Settings) per second of all workers together</source>
        <translation>Vorhergesagte Samples (oder Schritte, wo der Batch nicht bekannt ist: siehe Einstellungen) je Sekunde aller Worker zusammen</translation>
    </message>
    <message>
        <source>Predicted throughput, with its 95 % interval, and measured points; Enter opens the steps behind a point in B</source>
        <translation>Vorhergesagter Durchsatz mit seinem 95-%-Intervall und der gemessene; Eingabe öffnet die Schritte hinter einem Punkt in B</translation>
    </message>
    <message>
        <source>Predicting…</source>
        <translation>Vorhersage läuft…</translation>
    </message>
    <message>
        <source>Predicting… %1 of %2 points</source>
        <translation>Vorhersage läuft… %1 von %2 Punkten</translation>
    </message>
    <message>
        <source>Prefix of the files' names</source>
        <translation>Präfix der Dateinamen</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>Voriger (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Price of a million samples, in the unit of the price per node and hour; servers are nodes, too</source>
        <translation>Preis einer Million Samples in der Einheit des Preises je Knoten und Stunde; auch Server sind Knoten</translation>
    </message>
    <message>
        <source>Price per node and hour</source>
        <translation>Preis je Knoten und Stunde</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Profile of XLA's profiler: %1 planes; devices with work: %2; lines left out, which repeat others: %3.</source>
        <translation>Profil von XLAs Profiler: %1 Ebenen; Geräte mit Arbeit: %2; weggelassene Zeilen, die andere wiederholen: %3.</translation>
    </message>
    <message>
        <source>Profiles (*.json *.json.gz *.gz *.db *.sqlite *.pb *.pftrace *.perfetto-trace *.et);;All files (*)</source>
        <translation>Profile (*.json *.json.gz *.gz *.db *.sqlite *.pb *.pftrace *.perfetto-trace *.et);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Profiles, jobs, DAGs, clusters and projects (*.json *.json.gz *.gz *.zip *.tar *.tgz *.db *.sqlite *.pb *.pftrace *.perfetto-trace *.et *.txt *.dag *.yml *.yaml *.syncopate);;All files (*)</source>
        <translation>Profile, Jobs, DAGs, Cluster und Projekte (*.json *.json.gz *.gz *.zip *.tar *.tgz *.db *.sqlite *.pb *.pftrace *.perfetto-trace *.et *.txt *.dag *.yml *.yaml *.syncopate);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Program of MSCCL++'s Python DSL for that plan</source>
        <translation>Programm in MSCCL++' Python-DSL für diesen Plan</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Progress of the tutorial</source>
        <translation>Fortschritt der Einführung</translation>
    </message>
    <message>
        <source>Proposals</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Proposals of the search, and their outcome</source>
        <translation>Vorschläge der Suche und ihr Ergebnis</translation>
    </message>
    <message>
        <source>Proposals of the search, timelines of all planners, the graph of the DAG, costs of collectives over their size, or the editor of a plan</source>
        <translation>Vorschläge der Suche, Zeitachsen aller Planer, der Graph des DAG, Kosten von Kollektiven über ihrer Größe oder der Editor eines Plans</translation>
    </message>
    <message>
        <source>Proposals that are scored for each trial</source>
        <translation>Vorschläge, die für jeden Versuch bewertet werden</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>Proxy</translation>
    </message>
    <message>
        <source>Published: %1 on one T4 (AutoDist's documentation), from which the sustained rate follows.</source>
        <translation>Veröffentlicht: %1 auf einer T4 (AutoDists Dokumentation), woraus die dauerhafte Rate folgt.</translation>
    </message>
    <message>
        <source>Published: batch %1 a GPU, as %2.</source>
        <translation>Veröffentlicht: Batch %1 je GPU, wie %2.</translation>
    </message>
    <message>
        <source>Pushes, pulls and collectives that the stretch touches.</source>
        <translation>Pushes, Pulls und Kollektive, die der Zeitraum berührt.</translation>
    </message>
    <message>
        <source>Put all panels back</source>
        <translation>Alle Bereiche an ihren Platz zurückstellen</translation>
    </message>
    <message>
        <source>Put it on A (A)</source>
        <translation>Nach A legen (A)</translation>
    </message>
    <message>
        <source>Put it on B (B)</source>
        <translation>Nach B legen (B)</translation>
    </message>
    <message>
        <source>Puts the selected row onto A (A)</source>
        <translation>Legt die gewählte Zeile nach A (A)</translation>
    </message>
    <message>
        <source>Puts the selected row onto B (B)</source>
        <translation>Legt die gewählte Zeile nach B (B)</translation>
    </message>
    <message>
        <source>PyTorch trace with %1 events.</source>
        <translation>PyTorch-Trace mit %1 Ereignissen.</translation>
    </message>
    <message>
        <source>PyTorch's buckets of gradients, in reverse order</source>
        <translation>PyTorchs Buckets von Gradienten, in umgekehrter Reihenfolge</translation>
    </message>
    <message>
        <source>PyTorch's sharded parameters, gathered before each pass</source>
        <translation>PyTorchs verteilte Parameter, vor jedem Vorwärts- und Rückwärtslauf eingesammelt</translation>
    </message>
    <message>
        <source>Qt %1 (built with %2), QCustomPlot %3, fmt %4, %5, on %6.</source>
        <translation>Qt %1 (gebaut mit %2), QCustomPlot %3, fmt %4, %5, auf %6.</translation>
    </message>
    <message>
        <source>Quantity of the map</source>
        <translation>Was die Karte zeigt</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>R&amp;esume search</source>
        <translation>Suche &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Rack</source>
        <translation>Rack</translation>
    </message>
    <message>
        <source>Rack, switch or placement group, for the flow limit across racks.</source>
        <translation>Rack, Switch oder Placement Group; danach richtet sich, was eine Verbindung hinüber trägt.</translation>
    </message>
    <message>
        <source>Random+G of AutoDist: random strategies, guided by the constraints c_lb and c_am</source>
        <translation>Random+G von AutoDist: zufällige Strategien, gelenkt durch die Bedingungen c_lb und c_am</translation>
    </message>
    <message>
        <source>Range of the second swept knob</source>
        <translation>Bereich des zweiten durchfahrenen Reglers</translation>
    </message>
    <message>
        <source>Range of the swept knob</source>
        <translation>Bereich des durchfahrenen Reglers</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Rank %1 of %2%3.</source>
        <translation>Rang %1 von %2%3.</translation>
    </message>
    <message>
        <source>Rank %1%2.</source>
        <translation>Rang %1%2.</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation>%1 gelesen</translation>
    </message>
    <message>
        <source>Read background traffic from a table (CSV) with the columns link, from_seconds, to_seconds and share.</source>
        <translation>Hintergrundverkehr aus einer Tabelle (CSV) mit den Spalten link, from_seconds, to_seconds und share lesen.</translation>
    </message>
    <message>
        <source>Read conditions from a CSV file, as `syncopate-cli tune --schedule` takes it</source>
        <translation>Bedingungen aus einer CSV-Datei lesen, wie `syncopate-cli tune --schedule` sie nimmt</translation>
    </message>
    <message>
        <source>Read from the profile</source>
        <translation>Aus dem Profil gelesen</translation>
    </message>
    <message>
        <source>Read measured points for the selected curve from a table (CSV) with columns such as workers and examples_per_second, or steps_per_second.</source>
        <translation>Gemessene Punkte für die gewählte Kurve aus einer Tabelle (CSV) lesen, mit Spalten wie workers und examples_per_second oder steps_per_second.</translation>
    </message>
    <message>
        <source>Read the sizes of the model's variables from a file: a job file, a checkpoint (.safetensors, .index) or an ONNX model</source>
        <translation>Die Größen der Modellvariablen aus einer Datei lesen: Job-Datei, Checkpoint (.safetensors, .index) oder ONNX-Modell</translation>
    </message>
    <message>
        <source>Read: %1</source>
        <translation>Gelesen: %1</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen…</translation>
    </message>
    <message>
        <source>Readout</source>
        <translation>Übersichtszeile</translation>
    </message>
    <message>
        <source>Reads a second profile of the same model, before or after a change, and lists the differences</source>
        <translation>Liest ein zweites Profil desselben Modells, vor oder nach einer Änderung, und listet die Unterschiede auf</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Recorded on %1 ranks, planned for %2 processes: sizes and times of each stay as recorded.</source>
        <translation>Auf %1 Rängen aufgezeichnet, für %2 Prozesse geplant: Größen und Zeiten jedes einzelnen bleiben wie aufgezeichnet.</translation>
    </message>
    <message>
        <source>Recorded transfers are explained by streams of %1 on the link of the profile.</source>
        <translation>Aufgezeichnete Übertragungen sind durch Streams von %1 auf dem Link des Profils erklärt.</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Reduce bucket</source>
        <translation>Reduktions-Bucket</translation>
    </message>
    <message>
        <source>Reduce in %1 groups instead of %2</source>
        <translation>In %1 statt %2 Gruppen reduzieren</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Abgelehnt: %1</translation>
    </message>
    <message>
        <source>Regret</source>
        <translation>Rückstand</translation>
    </message>
    <message>
        <source>Remedies</source>
        <translation>Abhilfen</translation>
    </message>
    <message>
        <source>Remedies are found by simulating one change at a time. This side is measured, so no change can be tried.</source>
        <translation>Abhilfen werden gefunden, indem eine Änderung nach der anderen simuliert wird. Diese Seite zeigt, was gemessen wurde; daran lässt sich nichts ausprobieren.</translation>
    </message>
    <message>
        <source>Remedy</source>
        <translation>Abhilfe</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove (Del)</source>
        <translation>Entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove a note</source>
        <translation>Notiz entfernen</translation>
    </message>
    <message>
        <source>Remove nodes</source>
        <translation>Knoten entfernen</translation>
    </message>
    <message>
        <source>Remove the selected curve (Del in the list).</source>
        <translation>Die gewählte Kurve entfernen (Entf in der Liste).</translation>
    </message>
    <message>
        <source>Remove the selected nodes from the cluster</source>
        <translation>Die gewählten Knoten aus dem Cluster entfernen</translation>
    </message>
    <message>
        <source>Remove “%1”</source>
        <translation>„%1“ entfernen</translation>
    </message>
    <message>
        <source>Rename (F2)</source>
        <translation>Umbenennen (F2)</translation>
    </message>
    <message>
        <source>Rename a scenario</source>
        <translation>Szenario umbenennen</translation>
    </message>
    <message>
        <source>ResNet-50 on %1 workers at %2 Gbit/s: %3.</source>
        <translation>ResNet-50 auf %1 Workern bei %2 Gbit/s: %3.</translation>
    </message>
    <message>
        <source>ResNet-50 on eight CPU nodes: all-reduce beside a parameter server (Ctrl+Shift+O)</source>
        <translation>ResNet-50 auf acht CPU-Knoten: All-Reduce neben einem Parameterserver (Strg+Umschalt+O)</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset %1 (double-click its name)</source>
        <translation>%1 zurücksetzen (Doppelklick auf den Namen)</translation>
    </message>
    <message>
        <source>Reset pinned, moved and collapsed lanes</source>
        <translation>Nichts angeheftet, verschoben oder zugeklappt</translation>
    </message>
    <message>
        <source>Reset to the cluster's or the policy's value; double-clicking the name does the same</source>
        <translation>Auf den Wert des Clusters oder der Policy zurücksetzen; ein Doppelklick auf den Namen tut dasselbe</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Results of each way of tuning. Enter or A: its marked iteration as A, B: as B, P: pin, Ctrl+C: copy rows.</source>
        <translation>Ergebnisse jeder Art der Abstimmung. Eingabe oder A: ihre markierte Iteration als A, B: als B, P: anheften, Strg+C: Zeilen kopieren.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Revert all edits of %1</source>
        <translation>Alle Änderungen an %1 verwerfen</translation>
    </message>
    <message>
        <source>Revert the edits of %1</source>
        <translation>Die Änderungen an %1 verwerfen</translation>
    </message>
    <message>
        <source>Ring: reduce-scatter, then all-gather. Tree: reduces in groups, an all-reduce of their roots, broadcasts. Groups: in groups of neighbours, then across them.</source>
        <translation>Ring: Reduce-Scatter, dann All-Gather. Baum: Reduktionen in Gruppen, ein All-Reduce ihrer Wurzeln, Broadcasts. Gruppen: in Gruppen von Nachbarn, dann über sie hinweg.</translation>
    </message>
    <message>
        <source>Room for a search and its candidates</source>
        <translation>Platz für eine Suche und ihre Kandidaten</translation>
    </message>
    <message>
        <source>Room for curves of asynchronous training</source>
        <translation>Platz für Kurven asynchronen Trainings</translation>
    </message>
    <message>
        <source>Room for maps of a policy's settings</source>
        <translation>Platz für Karten der Einstellungen einer Policy</translation>
    </message>
    <message>
        <source>Room for plans of collectives</source>
        <translation>Platz für Pläne von Kollektiven</translation>
    </message>
    <message>
        <source>Room for the cluster and the load of its links</source>
        <translation>Platz für den Cluster und die Last seiner Verbindungen</translation>
    </message>
    <message>
        <source>Room for the timelines, with the inspector</source>
        <translation>Platz für die Zeitachsen, mit dem Inspektor</translation>
    </message>
    <message>
        <source>Rule of the best candidate</source>
        <translation>Regel des besten Kandidaten</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run through the iteration: the cursor moves, and the links show the load at that moment</source>
        <translation>Durch die Iteration laufen: Der Cursor bewegt sich, und die Verbindungen zeigen ihre Last zu diesem Zeitpunkt</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Runs of the search, one after the other</source>
        <translation>Läufe der Suche, einer nach dem anderen</translation>
    </message>
    <message>
        <source>Runs the motif one place earlier.</source>
        <translation>Führt das Motiv einen Platz früher aus.</translation>
    </message>
    <message>
        <source>Runs the motif one place later.</source>
        <translation>Führt das Motiv einen Platz später aus.</translation>
    </message>
    <message>
        <source>Runs the next iteration's motif at this place.</source>
        <translation>Führt an diesem Platz das Motiv der nächsten Iteration aus.</translation>
    </message>
    <message>
        <source>Runs the previous iteration's motif at this place.</source>
        <translation>Führt an diesem Platz das Motiv der vorigen Iteration aus.</translation>
    </message>
    <message>
        <source>S&amp;QL query</source>
        <translation>S&amp;QL-Abfrage</translation>
    </message>
    <message>
        <source>S&amp;cale</source>
        <translation>Ska&amp;lierung</translation>
    </message>
    <message>
        <source>S&amp;ettings</source>
        <translation>&amp;Einstellungen</translation>
    </message>
    <message>
        <source>S&amp;weep a knob</source>
        <translation>Regler d&amp;urchfahren</translation>
    </message>
    <message>
        <source>S-Exec: cuts and channels are searched, channels take motifs as submitted</source>
        <translation>S-Exec: Schnitte und Kanäle werden gesucht, Kanäle nehmen Motive wie eingereicht</translation>
    </message>
    <message>
        <source>S-Sched: one channel, by critical path, with the best number of segments and splines</source>
        <translation>S-Sched: ein Kanal, nach dem kritischen Pfad, mit der besten Zahl von Segmenten und Splines</translation>
    </message>
    <message>
        <source>SELECT ... FROM spans</source>
        <translation>SELECT ... FROM spans</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Samples of all workers per second (steps, where the batch is not known), or the time of a steady iteration</source>
        <translation>Samples aller Worker je Sekunde (Schritte, wo der Batch nicht bekannt ist) oder die Zeit einer eingeschwungenen Iteration</translation>
    </message>
    <message>
        <source>Samples of all workers per second, over all iterations.</source>
        <translation>Samples aller Worker je Sekunde, über alle Iterationen.</translation>
    </message>
    <message>
        <source>Samples of all workers per second.</source>
        <translation>Samples aller Worker je Sekunde.</translation>
    </message>
    <message>
        <source>Samples of one worker's step.</source>
        <translation>Samples eines Schritts eines Workers.</translation>
    </message>
    <message>
        <source>Samples per second by the phase-based queueing model</source>
        <translation>Samples je Sekunde nach dem phasenweisen Warteschlangenmodell</translation>
    </message>
    <message>
        <source>Samples per second in the marked iteration.</source>
        <translation>Samples je Sekunde in der markierten Iteration.</translation>
    </message>
    <message>
        <source>Samples per second over the iterations. Arrows, Home and End move the mark, Space plays it; A and B show its iteration there.</source>
        <translation>Samples je Sekunde über den Iterationen. Pfeiltasten, Pos1 und Ende bewegen die Marke, die Leertaste lässt sie laufen; die Tasten A und B zeigen die Iteration an der Marke.</translation>
    </message>
    <message>
        <source>Samples per second that were measured, from the imported table</source>
        <translation>Gemessene Samples je Sekunde aus der importierten Tabelle</translation>
    </message>
    <message>
        <source>Samples per second. %1</source>
        <translation>Samples je Sekunde. %1</translation>
    </message>
    <message>
        <source>Samples that a worker trains on in a step. Many profiles do not state it: rates are then in steps/s,
and in samples/s once it is stated here. Times do not change. 0: as the file says.</source>
        <translation>Samples, auf denen ein Worker in einem Schritt trainiert. Viele Profile sagen es nicht; dann sind Raten Schritte/s und mit
dem hier angegebenen Batch Samples/s. Zeiten bleiben, wie sie sind. 0: wie in der Datei.</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Samples/s over the number of workers, with their bottlenecks and the knee</source>
        <translation>Samples/s über der Zahl der Worker, mit dem, was sie begrenzt, und dem Knie</translation>
    </message>
    <message>
        <source>Save a picture of the first simulated view, and end.</source>
        <translation>Speichert ein Bild der ersten simulierten Ansicht und endet.</translation>
    </message>
    <message>
        <source>Save a picture of the timelines, and end.</source>
        <translation>Speichert ein Bild der Zeitachsen und endet.</translation>
    </message>
    <message>
        <source>Save as resource_spec.yml…</source>
        <translation>Als resource_spec.yml speichern…</translation>
    </message>
    <message>
        <source>Save project &amp;as…</source>
        <translation>Projekt speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Save scenarios, views and their inputs; later changes are saved automatically</source>
        <translation>Szenarien, Ansichten und ihre Grundlagen speichern; spätere Änderungen werden von selbst gespeichert</translation>
    </message>
    <message>
        <source>Save the cluster</source>
        <translation>Cluster speichern</translation>
    </message>
    <message>
        <source>Save the file first.</source>
        <translation>Speichern Sie die Datei zuerst.</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Save the project under another name, and go on there</source>
        <translation>Das Projekt unter anderem Namen speichern und dort weiterarbeiten</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Saved %1 files to %2</source>
        <translation>%1 Dateien in %2 gespeichert</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Scaling can only be simulated: choose a builder for this side.</source>
        <translation>Skalierung lässt sich nur simulieren: Wählen Sie einen Builder für diese Seite.</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>Ablaufpläne</translation>
    </message>
    <message>
        <source>Scroll lanes</source>
        <translation>Durch die Spuren blättern</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search for a strategy that is faster than every builder's</source>
        <translation>Eine Strategie suchen, die schneller ist als die jedes Builders</translation>
    </message>
    <message>
        <source>Search with these settings; the project keeps the trials of earlier searches.</source>
        <translation>Mit diesen Einstellungen suchen; das Projekt behält die Versuche früherer Suchen.</translation>
    </message>
    <message>
        <source>Search: time of each candidate, best so far and hit rate over the trials</source>
        <translation>Suche: Zeit jedes Kandidaten, bisher bester und Trefferquote über den Versuchen</translation>
    </message>
    <message>
        <source>Searches for a strategy that is faster than every builder's</source>
        <translation>Sucht eine Strategie, die schneller ist als die jedes Builders</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>Second setting</source>
        <translation>Zweite Einstellung</translation>
    </message>
    <message>
        <source>Second swept knob</source>
        <translation>Zweiter durchfahrener Regler</translation>
    </message>
    <message>
        <source>See how every way of synchronising a model's variables would play out, side by side.</source>
        <translation>Sehen Sie nebeneinander, wie sich jede Art, die Variablen eines Modells zu synchronisieren, auswirken würde.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Seed of the noise</source>
        <translation>Startwert des Rauschens</translation>
    </message>
    <message>
        <source>Seed of the sampled steps, drawn weights and random orders: the same seed gives the same curve.</source>
        <translation>Startwert der gezogenen Schritte, Gewichte und zufälligen Reihenfolgen: Derselbe Startwert ergibt dieselbe Kurve.</translation>
    </message>
    <message>
        <source>Seed of the tuner</source>
        <translation>Startwert des Tuners</translation>
    </message>
    <message>
        <source>Seed of the tuners</source>
        <translation>Startwert der Tuner</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>Select the span's time</source>
        <translation>Die Zeit des Abschnitts auswählen</translation>
    </message>
    <message>
        <source>Select time</source>
        <translation>Zeitraum auswählen</translation>
    </message>
    <message>
        <source>Selected span</source>
        <translation>Gewählter Abschnitt</translation>
    </message>
    <message>
        <source>Selected variables of %1…</source>
        <translation>Gewählte Variablen von %1…</translation>
    </message>
    <message>
        <source>Selection %1 to %2 (%3)</source>
        <translation>Auswahl %1 bis %2 (%3)</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Servers worked for %1: shown, but not part of the worker's step.</source>
        <translation>Server arbeiteten %1 lang: gezeigt, aber nicht Teil des Schritts des Workers.</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1 auf %2 setzen</translation>
    </message>
    <message>
        <source>Set the cluster's figures from measurements: tables of message costs, logs of collectives (nccl-tests, NCCL Inspector, OSU), or a second profile of the same model</source>
        <translation>Die Werte des Clusters aus Messungen setzen: Tabellen von Nachrichtenkosten, Protokolle von Kollektiven (nccl-tests, NCCL Inspector, OSU) oder ein zweites Profil desselben Modells</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Setting at the mark</source>
        <translation>Einstellung an der Marke</translation>
    </message>
    <message>
        <source>Setting in effect in the marked iteration.</source>
        <translation>Einstellung, die in der markierten Iteration gilt.</translation>
    </message>
    <message>
        <source>Setting on the map's horizontal axis; grey: A has no such setting</source>
        <translation>Die waagerechte Einstellung der Karte; grau: A hat sie nicht</translation>
    </message>
    <message>
        <source>Setting on the map's vertical axis; grey: A has no such setting</source>
        <translation>Die senkrechte Einstellung der Karte; grau: A hat sie nicht</translation>
    </message>
    <message>
        <source>Setting under the pointer</source>
        <translation>Einstellung unter dem Zeiger</translation>
    </message>
    <message>
        <source>Settings that tuners chose, and their cost. Enter or A: set as A, B: set as B, P: pin, Ctrl+C: copy rows.</source>
        <translation>Was die Tuner gewählt haben und was das gekostet hat. Eingabe oder A: als A, B: als B, P: anheften, Strg+C: Zeilen kopieren.</translation>
    </message>
    <message>
        <source>Settings that were found</source>
        <translation>Gefundene Einstellungen</translation>
    </message>
    <message>
        <source>Settings that were judged.</source>
        <translation>Einstellungen, die ausgewertet wurden.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Share of an iteration in which the compute stream waits.</source>
        <translation>Anteil einer Iteration, in dem der Rechenstrom wartet.</translation>
    </message>
    <message>
        <source>Share of the links' stated rates that a plain stream reaches, 0 to 1.</source>
        <translation>Anteil der Nennrate der Verbindungen, den ein einfacher Strom erreicht, 0 bis 1.</translation>
    </message>
    <message>
        <source>Share of trials that are drawn anew</source>
        <translation>Anteil der Versuche, die neu gezogen werden</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>Shares of the iteration</source>
        <translation>Anteile an der Iteration</translation>
    </message>
    <message>
        <source>Sharing</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <source>Sharing of links</source>
        <translation>Teilung der Verbindungen</translation>
    </message>
    <message>
        <source>Shift+wheel, Shift+drag</source>
        <translation>Umschalt+Mausrad, Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Show A alone</source>
        <translation>Nur A zeigen</translation>
    </message>
    <message>
        <source>Show B beside A, with their difference</source>
        <translation>B neben A zeigen, mit der Differenz</translation>
    </message>
    <message>
        <source>Show a plan from a file in B; it has to be for the DAG chosen above.</source>
        <translation>Einen Plan aus einer Datei in B zeigen; er muss zum oben gewählten DAG gehören.</translation>
    </message>
    <message>
        <source>Show each transfer</source>
        <translation>Jede Übertragung zeigen</translation>
    </message>
    <message>
        <source>Show it, then export again</source>
        <translation>Zeigen Sie sie an und exportieren Sie noch einmal</translation>
    </message>
    <message>
        <source>Show stacked</source>
        <translation>Untereinander zeigen</translation>
    </message>
    <message>
        <source>Show the file in the system's file manager</source>
        <translation>Datei in der Dateiverwaltung des Systems zeigen</translation>
    </message>
    <message>
        <source>Show the marked iteration as B while the mark moves; where the mark stops is one undo step</source>
        <translation>Die markierte Iteration als B zeigen, während sich die Marke bewegt; wo die Marke hält, ist ein Schritt zum Rückgängigmachen</translation>
    </message>
    <message>
        <source>Show the marked iteration there: of the row selected in the table, else of the re-tuned run</source>
        <translation>Die markierte Iteration dort zeigen: der in der Tabelle gewählten Zeile, sonst des neu getunten Laufs</translation>
    </message>
    <message>
        <source>Show the simulation of this step on the cluster above in B; the knobs change it</source>
        <translation>Die Simulation dieses Schritts auf dem Cluster darüber in B zeigen; die Regler ändern sie</translation>
    </message>
    <message>
        <source>Side of the heat map</source>
        <translation>Seite der Wärmekarte</translation>
    </message>
    <message>
        <source>Side that is explained</source>
        <translation>Seite, die erklärt wird</translation>
    </message>
    <message>
        <source>Side whose cluster is shown</source>
        <translation>Seite, deren Cluster gezeigt wird</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>Simulieren</translation>
    </message>
    <message>
        <source>Simulate %1</source>
        <translation>%1 simulieren</translation>
    </message>
    <message>
        <source>Simulate B on another cluster, beside A. %1</source>
        <translation>B auf einem anderen Cluster simulieren, neben A. %1</translation>
    </message>
    <message>
        <source>Simulate the curve again</source>
        <translation>Die Kurve neu simulieren</translation>
    </message>
    <message>
        <source>Simulate the job on this side, with all-reduce in buckets as in DistributedDataParallel, and explain that; Undo takes it back</source>
        <translation>Den Job auf dieser Seite simulieren, mit All-Reduce in Buckets wie in DistributedDataParallel, und das erklären; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Simulate the measured step</source>
        <translation>Gemessenen Schritt simulieren</translation>
    </message>
    <message>
        <source>Simulate this side</source>
        <translation>Diese Seite simulieren</translation>
    </message>
    <message>
        <source>Simulate this side again</source>
        <translation>Diese Seite noch einmal simulieren</translation>
    </message>
    <message>
        <source>Simulate this step</source>
        <translation>Diesen Schritt simulieren</translation>
    </message>
    <message>
        <source>Simulate training under these conditions; earlier results are replaced.</source>
        <translation>Training unter diesen Bedingungen simulieren; frühere Ergebnisse werden ersetzt.</translation>
    </message>
    <message>
        <source>Simulated on the machines of the profile: %1.%2</source>
        <translation>Auf den Rechnern des Profils simuliert: %1.%2</translation>
    </message>
    <message>
        <source>Simulated steps of each worker before those that enter the mean.</source>
        <translation>Simulierte Schritte jedes Workers vor denen, die zählen.</translation>
    </message>
    <message>
        <source>Simulated steps of each worker that enter the mean.</source>
        <translation>Simulierte Schritte jedes Workers, die zählen.</translation>
    </message>
    <message>
        <source>Simulated time of a steady iteration, in seconds.</source>
        <translation>Simulierte Zeit einer eingeschwungenen Iteration in Sekunden.</translation>
    </message>
    <message>
        <source>Simulating %1 of %2…</source>
        <translation>%1 von %2 wird simuliert…</translation>
    </message>
    <message>
        <source>Simulating faster links…</source>
        <translation>Schnellere Verbindungen werden simuliert…</translation>
    </message>
    <message>
        <source>Simulating the measured step…</source>
        <translation>Der gemessene Schritt wird simuliert…</translation>
    </message>
    <message>
        <source>Simulating, %1 s</source>
        <translation>Simulation läuft, %1 s</translation>
    </message>
    <message>
        <source>Simulating…</source>
        <translation>Simulation läuft…</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of all text and controls, from the next start on</source>
        <translation>Größe aller Texte und Bedienelemente, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Size of the window.</source>
        <translation>Größe des Fensters.</translation>
    </message>
    <message>
        <source>Sizes down to %1 are below the %2 that were measured: its first segment goes on there.</source>
        <translation>Größen bis hinab zu %1 liegen unter den gemessenen %2: Für sie gilt weiter, was dort gilt.</translation>
    </message>
    <message>
        <source>Sizes up to %1 go beyond the %2 that were measured: its last slope goes on there.</source>
        <translation>Größen bis %1 gehen über die gemessenen %2 hinaus: Die letzte Steigung gilt dort weiter.</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>Langsamster</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Source of a setting: a tuner, the map, the policy's defaults, or side A.</source>
        <translation>Woher eine Einstellung kommt: von einem Tuner, aus der Karte, aus der Vorgabe der Policy oder von Seite A.</translation>
    </message>
    <message>
        <source>Source of a trial's proposal: the colour of its dot.</source>
        <translation>Herkunft des Vorschlags für einen Versuch: die Farbe seines Punkts.</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Space and heuristics</source>
        <translation>Raum und Heuristiken</translation>
    </message>
    <message>
        <source>Span of the lane</source>
        <translation>Abschnitt der Spur</translation>
    </message>
    <message>
        <source>Span of the same name</source>
        <translation>Abschnitt gleichen Namens</translation>
    </message>
    <message>
        <source>Span that it waited for, span that waited for it</source>
        <translation>Worauf der Abschnitt wartete, was auf ihn wartete</translation>
    </message>
    <message>
        <source>Spans found</source>
        <translation>Gefundene Abschnitte</translation>
    </message>
    <message>
        <source>Spans of a step of a rank in %1.</source>
        <translation>Abschnitte je Schritt und Rang in %1.</translation>
    </message>
    <message>
        <source>Spans whose name, or whose variable's name, contains this. Enter: next, Shift+Enter: previous, Esc: end</source>
        <translation>Abschnitte, deren Name oder deren Variable dies enthält. Eingabe: nächster, Umschalt+Eingabe: voriger, Esc: Ende</translation>
    </message>
    <message>
        <source>Sparse gradients are the rows that the job states, with 8 bytes of index each; replicas touch different rows; collectives gather them.</source>
        <translation>Dünn besetzte Gradienten sind die Zeilen, die der Job angibt, mit je 8 Byte Index; Replikate betreffen verschiedene Zeilen; Kollektive sammeln sie ein.</translation>
    </message>
    <message>
        <source>Sparse gradients whose number of rows the job does not state count as all rows, with 8 bytes of index each: an upper bound.</source>
        <translation>Dünn besetzte Gradienten, deren Zeilenzahl der Job nicht angibt, zählen mit allen Zeilen, mit je 8 Byte Index: eine obere Schranke.</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speed of its devices relative to the job's times: at 0.5 they take twice as long (a straggler).</source>
        <translation>Geschwindigkeit seiner Geräte im Verhältnis zu den Zeiten des Jobs: Bei 0.5 brauchen sie doppelt so lang (ein Nachzügler).</translation>
    </message>
    <message>
        <source>Speed of training over two settings. Arrows: walk over the cells, Enter or B: take one into B, A: into A.</source>
        <translation>Trainingstempo über zwei Einstellungen. Pfeiltasten: durch die Zellen gehen, Eingabe oder B: eine nach B nehmen, A: nach A.</translation>
    </message>
    <message>
        <source>Speed under changing conditions</source>
        <translation>Tempo unter wechselnden Bedingungen</translation>
    </message>
    <message>
        <source>Speed under changing conditions: samples per second over the iterations, with settings kept and re-tuned</source>
        <translation>Geschwindigkeit bei wechselnden Bedingungen: Samples pro Sekunde über die Iterationen, mit behaltenen und neu abgestimmten Einstellungen</translation>
    </message>
    <message>
        <source>Splines</source>
        <translation>Splines</translation>
    </message>
    <message>
        <source>Stacked scenarios</source>
        <translation>Szenarien untereinander</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Verzug</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start tries strategies on this job and cluster, with A's policy.</source>
        <translation>Start probiert Strategien auf diesem Job und Cluster mit der Policy von A.</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Starve the network</source>
        <translation>Das Netz verknappen</translation>
    </message>
    <message>
        <source>State of the conditions</source>
        <translation>Stand der Bedingungen</translation>
    </message>
    <message>
        <source>State of the explanation</source>
        <translation>Stand der Erklärung</translation>
    </message>
    <message>
        <source>State of the planning</source>
        <translation>Stand der Planung</translation>
    </message>
    <message>
        <source>State of the prediction</source>
        <translation>Stand der Vorhersage</translation>
    </message>
    <message>
        <source>State of the query</source>
        <translation>Stand der Abfrage</translation>
    </message>
    <message>
        <source>State of the search</source>
        <translation>Stand der Suche</translation>
    </message>
    <message>
        <source>State of the sweep</source>
        <translation>Stand des Durchlaufs</translation>
    </message>
    <message>
        <source>State of the tuning</source>
        <translation>Stand der Abstimmung</translation>
    </message>
    <message>
        <source>Stated: batch %1, instead of %2.</source>
        <translation>Angegeben: Batch %1, statt %2.</translation>
    </message>
    <message>
        <source>Stated: batch %1.</source>
        <translation>Angegeben: Batch %1.</translation>
    </message>
    <message>
        <source>Statistics of A and B</source>
        <translation>Statistik von A und B</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step then</source>
        <translation>Schritt dann</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps follow</source>
        <translation>Schritte folgen</translation>
    </message>
    <message>
        <source>Steps left out</source>
        <translation>Ausgelassene Schritte</translation>
    </message>
    <message>
        <source>Steps of %1 in B</source>
        <translation>Schritte von %1 in B</translation>
    </message>
    <message>
        <source>Steps of all workers per second: the batch is not known.</source>
        <translation>Schritte aller Worker je Sekunde: Der Batch ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Steps that a worker may be ahead of the slowest one, with bounded staleness.</source>
        <translation>Schritte, die ein Worker dem langsamsten bei begrenztem Verzug voraus sein darf.</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>Schritte/s</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop and keep the results (Esc).</source>
        <translation>Anhalten und die Ergebnisse behalten (Esc).</translation>
    </message>
    <message>
        <source>Stop loading (Esc)</source>
        <translation>Laden abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Stop only this; nothing changes (Esc).</source>
        <translation>Nur dies anhalten; es ändert sich nichts (Esc).</translation>
    </message>
    <message>
        <source>Stop predicting (Esc)</source>
        <translation>Vorhersage anhalten (Esc)</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>Das Lesen abbrechen</translation>
    </message>
    <message>
        <source>Stop simulating and keep the points so far</source>
        <translation>Simulation anhalten; was gefunden ist, bleibt</translation>
    </message>
    <message>
        <source>Stop the query (Esc)</source>
        <translation>Abfrage abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Stop the search and keep its results; Esc in its panel</source>
        <translation>Die Suche anhalten und Gefundenes behalten; Esc in ihrem Bereich</translation>
    </message>
    <message>
        <source>Stopped before its first candidate.</source>
        <translation>Vor dem ersten Kandidaten angehalten.</translation>
    </message>
    <message>
        <source>Stragglers are not known: %1</source>
        <translation>Nachzügler sind nicht bekannt: %1</translation>
    </message>
    <message>
        <source>Strategies to try.</source>
        <translation>Zu versuchende Strategien.</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Strategy %1</source>
        <translation>Strategie %1</translation>
    </message>
    <message>
        <source>Strategy of %1</source>
        <translation>Strategie von %1</translation>
    </message>
    <message>
        <source>Strategy of A</source>
        <translation>Strategie von A</translation>
    </message>
    <message>
        <source>Strategy of A: a builder expression or a strategy file; of a training DAG a planner or a plan file.</source>
        <translation>Strategie von A: ein Builder-Ausdruck oder eine Strategiedatei; bei einem Trainings-DAG ein Planer oder eine Plandatei.</translation>
    </message>
    <message>
        <source>Strategy of B</source>
        <translation>Strategie von B</translation>
    </message>
    <message>
        <source>Strategy of B, likewise; without it, A alone.</source>
        <translation>Strategie von B, ebenso; ohne sie wird nur A gezeigt.</translation>
    </message>
    <message>
        <source>Strategy · policy</source>
        <translation>Strategie · Policy</translation>
    </message>
    <message>
        <source>Stretch of time on screen</source>
        <translation>Zeitraum auf dem Bildschirm</translation>
    </message>
    <message>
        <source>Stretch of time, in pictures of timelines</source>
        <translation>Zeitabschnitt, in Bildern von Zeitachsen</translation>
    </message>
    <message>
        <source>Stretches of layers, at most</source>
        <translation>Strecken von Schichten, höchstens</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Sweep from the start.</source>
        <translation>Von vorn durchfahren.</translation>
    </message>
    <message>
        <source>Sweep this knob…</source>
        <translation>Diesen Regler durchfahren…</translation>
    </message>
    <message>
        <source>Swept knob</source>
        <translation>Durchfahrener Regler</translation>
    </message>
    <message>
        <source>Synchronise variables of %1 (%2 selected)</source>
        <translation>Variablen von %1 synchronisieren (%2 gewählt)</translation>
    </message>
    <message>
        <source>Synchroniser</source>
        <translation>Synchronisierung</translation>
    </message>
    <message>
        <source>Synchronisers to choose from</source>
        <translation>Verfahren zum Abgleich, aus denen gewählt wird</translation>
    </message>
    <message>
        <source>Synchronous: after each step a worker waits for all others.</source>
        <translation>Synchron: Nach jedem Schritt wartet ein Worker auf alle anderen.</translation>
    </message>
    <message>
        <source>Syncopate</source>
        <translation>Syncopate</translation>
    </message>
    <message>
        <source>Syncopate projects (*%1)</source>
        <translation>Syncopate-Projekte (*%1)</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System that reads the settings, in its own units</source>
        <translation>System, das die Einstellungen liest, in seinen eigenen Einheiten</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>T&amp;able</source>
        <translation>&amp;Tabelle</translation>
    </message>
    <message>
        <source>T&amp;hroughput</source>
        <translation>&amp;Durchsatz</translation>
    </message>
    <message>
        <source>T&amp;opology</source>
        <translation>T&amp;opologie</translation>
    </message>
    <message>
        <source>T&amp;une</source>
        <translation>Abst&amp;immen</translation>
    </message>
    <message>
        <source>T&amp;une the policy</source>
        <translation>Policy abst&amp;immen</translation>
    </message>
    <message>
        <source>TCP</source>
        <translation>TCP</translation>
    </message>
    <message>
        <source>TCP window</source>
        <translation>TCP-Fenster</translation>
    </message>
    <message>
        <source>TCP windows</source>
        <translation>TCP-Fenster</translation>
    </message>
    <message>
        <source>TCP: windows of %1, first-come-first-served queues that drop nothing, in which acknowledgements and requests wait, too; a sender's own queue is kept small, as Linux does.</source>
        <translation>TCP: Fenster von %1, Warteschlangen der Reihe nach, die nichts verwerfen und in denen auch Bestätigungen und Anfragen warten; die eigene Warteschlange eines Senders bleibt klein, wie unter Linux.</translation>
    </message>
    <message>
        <source>TSV</source>
        <translation>TSV</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Tables (*.csv *.gz);;All files (*)</source>
        <translation>Tabellen (*.csv *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt);;All files (*)</source>
        <translation>Tabellen (*.csv *.tsv *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tables (*.csv);;All files (*)</source>
        <translation>Tabellen (*.csv);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tables of the panels have the columns, rows and order on screen</source>
        <translation>Tabellen der Bereiche haben Spalten, Zeilen und Reihenfolge wie auf dem Bildschirm</translation>
    </message>
    <message>
        <source>Table…</source>
        <translation>Tabelle…</translation>
    </message>
    <message>
        <source>Temperature at first, in thousandths of the best time</source>
        <translation>Anfangstemperatur, in Tausendsteln der besten Zeit</translation>
    </message>
    <message>
        <source>TensorFlow checkpoint index</source>
        <translation>Index eines TensorFlow-Checkpoints</translation>
    </message>
    <message>
        <source>TensorFlow opens one gRPC channel from each process to each other, for all tensors</source>
        <translation>TensorFlow öffnet einen gRPC-Kanal von jedem Prozess zu jedem anderen, für alle Tensoren</translation>
    </message>
    <message>
        <source>The %1 steps that all %2 ranks recorded whole are played again; with the recorded durations the play is the profile.</source>
        <translation>Die %1 Schritte, die alle %2 Ränge vollständig aufgezeichnet haben, werden nachgespielt; mit den aufgezeichneten Dauern ist das Spiel das Profil.</translation>
    </message>
    <message>
        <source>The DAG has %1 processes and the cluster %2 GPUs: %3 processes are planned, %4 a node.</source>
        <translation>Der DAG hat %1 Prozesse und der Cluster %2 GPUs: Geplant werden %3 Prozesse, %4 je Knoten.</translation>
    </message>
    <message>
        <source>The DAG is a file's: it says nothing of samples, and layers and variables are those of the job.</source>
        <translation>Der DAG stammt aus einer Datei: Er sagt nichts über Samples, und Schichten und Variablen sind die des Jobs.</translation>
    </message>
    <message>
        <source>The DAG is the profile's recorded step: it says nothing of samples, and layers and variables are those of the job.</source>
        <translation>Der DAG ist der aufgezeichnete Schritt des Profils: Er sagt nichts über Samples, und Schichten und Variablen sind die des Jobs.</translation>
    </message>
    <message>
        <source>The DAG of the plan that B (or A) shows: its channels and its critical path</source>
        <translation>Der DAG des Plans, den B (oder A) zeigt: seine Kanäle und sein kritischer Pfad</translation>
    </message>
    <message>
        <source>The DAG that is drawn</source>
        <translation>Der gezeichnete DAG</translation>
    </message>
    <message>
        <source>The array of events is not closed, as the array form allows.</source>
        <translation>Das Array der Ereignisse ist nicht geschlossen, wie es die Array-Form erlaubt.</translation>
    </message>
    <message>
        <source>The autograd nodes have no sequence numbers: the step counts as one layer.</source>
        <translation>Die Autograd-Knoten haben keine Sequenznummern: Der Schritt zählt als eine Schicht.</translation>
    </message>
    <message>
        <source>The band assumes links between half and twice the stated rate, and one worker at two thirds of its speed at worst. Delays that differ from step to step are not in it.</source>
        <translation>Das Band nimmt Links zwischen der halben und der doppelten angegebenen Rate an und schlimmstenfalls einen Worker mit zwei Dritteln seiner Geschwindigkeit. Verzögerungen, die von Schritt zu Schritt verschieden sind, sind nicht darin.</translation>
    </message>
    <message>
        <source>The batch size was not recorded.</source>
        <translation>Die Batchgröße wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>The beginning of the file to be written</source>
        <translation>Der Anfang dessen, was geschrieben wird</translation>
    </message>
    <message>
        <source>The best %1 of the trials up to this one.</source>
        <translation>Der beste Wert (%1) der Versuche bis zu diesem.</translation>
    </message>
    <message>
        <source>The best of all plans with whole collectives: every channel, every order, up to an iteration ahead</source>
        <translation>Der beste aller Pläne mit ganzen Kollektiven: jeder Kanal, jede Reihenfolge, bis zu einer Iteration voraus</translation>
    </message>
    <message>
        <source>The best strategies under other conditions</source>
        <translation>Die besten Strategien anderswo</translation>
    </message>
    <message>
        <source>The best strategy with one piece reset to the best builder's choice. A piece's worth is that time minus the best; worths need not add up.</source>
        <translation>Die beste Strategie mit einem Stück, das auf das des besten Builders zurückgesetzt ist. Der Wert eines Stücks ist diese Zeit minus die beste; Werte müssen sich nicht addieren.</translation>
    </message>
    <message>
        <source>The best trials</source>
        <translation>Die besten Versuche</translation>
    </message>
    <message>
        <source>The candidates in the order of their trials, or how well the ranker ordered each batch before it learned from it</source>
        <translation>Die Kandidaten in der Reihenfolge ihrer Versuche, oder wie gut der Ranker jeden Stapel ordnete, bevor er daraus lernte</translation>
    </message>
    <message>
        <source>The channel of all its motifs, or all channels in turn.</source>
        <translation>Der Kanal aller seiner Motive oder alle Kanäle reihum.</translation>
    </message>
    <message>
        <source>The cluster that it is trained on.</source>
        <translation>Der Cluster, auf dem trainiert wird.</translation>
    </message>
    <message>
        <source>The cluster's measured times (%1) are not used: here %2 replicas take part.</source>
        <translation>Die gemessenen Zeiten des Clusters (%1) gelten hier nicht: Es nehmen %2 Replikate teil.</translation>
    </message>
    <message>
        <source>The cluster's measured times of collectives among %1 ranks are left out: the DAG has %2 processes.</source>
        <translation>Die gemessenen Zeiten von Kollektiven des Clusters unter %1 Rängen sind weggelassen: Der DAG hat %2 Prozesse.</translation>
    </message>
    <message>
        <source>The cluster's measured times of collectives are left out: they name no link, and its channels begin with %1. Give them with --costs LINK=FILE.</source>
        <translation>Die gemessenen Zeiten von Kollektiven des Clusters sind weggelassen: Sie nennen keinen Link, und seine Kanäle beginnen mit %1. Geben Sie sie mit --costs LINK=DATEI an.</translation>
    </message>
    <message>
        <source>The cluster, the load of its links, and its nodes to edit</source>
        <translation>Der Cluster, die Last seiner Verbindungen und seine Knoten zum Bearbeiten</translation>
    </message>
    <message>
        <source>The compute stream is busy there, or never computes again; click a gap between two computations.</source>
        <translation>Der Rechenstrom ist dort beschäftigt oder rechnet danach nicht mehr; klicken Sie auf eine Lücke zwischen zwei Berechnungen.</translation>
    </message>
    <message>
        <source>The compute stream waits for it; with all computing it adds up to the iteration</source>
        <translation>Der Rechenstrom wartet darauf; mit allem Rechnen ergibt es zusammen die Iteration</translation>
    </message>
    <message>
        <source>The cost of the planned collectives over their size appears here.</source>
        <translation>Hier erscheinen die Kosten der geplanten Kollektive über ihrer Größe.</translation>
    </message>
    <message>
        <source>The credit orders and limits the sums over a machine's devices alone, as in BytePS's release: with one device a machine it changes nothing, and pushes go first come, first served. All-reduces, which BytePS does not have, hold it to their end. A server's engine threads share all that its host does, messages included.</source>
        <translation>Der Credit ordnet und begrenzt allein die Summen über die Geräte einer Maschine, wie im veröffentlichten BytePS: Mit einem Gerät je Maschine ändert er nichts, und was gepusht wird, geht in der Reihenfolge des Eintreffens. All-Reduces, die BytePS nicht hat, halten ihn bis zu ihrem Ende. Die Engine-Threads eines Servers teilen sich alles, was sein Host tut, Nachrichten eingeschlossen.</translation>
    </message>
    <message>
        <source>The critical path in stretches of one kind, in their order; a row shows its place in the timeline</source>
        <translation>Der kritische Pfad in Strecken einer Art, in ihrer Reihenfolge; eine Zeile zeigt ihre Stelle in der Zeitachse</translation>
    </message>
    <message>
        <source>The curve, or how long received tensors take to parse</source>
        <translation>Die Kurve oder wie lange empfangene Tensoren zum Parsen brauchen</translation>
    </message>
    <message>
        <source>The default; tuned for the first condition; tuned again; the best known setting of each condition at once. Beside them AutoByte, where partition and credit are tuned; random settings, tuned again as often; and the plain policy, fifo.</source>
        <translation>Die Vorgabe; abgestimmt auf die erste Bedingung; neu abgestimmt; sofort die beste bekannte Einstellung jeder Bedingung. Daneben AutoByte, das Partition und Credit abstimmt; zufällige Einstellungen, ebenso oft neu abgestimmt; und die einfache Policy fifo.</translation>
    </message>
    <message>
        <source>The difference against the length of a step of A.</source>
        <translation>Die Differenz gegenüber der Länge eines Schritts von A.</translation>
    </message>
    <message>
        <source>The difference against the time in A; none for an entry that only one of them has.</source>
        <translation>Die Differenz gegenüber der Zeit in A; was nur einer von beiden hat, hat keine.</translation>
    </message>
    <message>
        <source>The execution trace %1 (schema %2, %3 nodes) gave the sizes of %4 collectives, the process groups of %5 and the shapes of %6 gradients that %7 lacks, joined by %8.</source>
        <translation>Der Execution-Trace %1 (Schema %2, %3 Knoten) lieferte die Größen von %4 Kollektiven, die Prozessgruppen von %5 und die Formen von %6 Gradienten, die in %7 fehlen, verbunden über %8.</translation>
    </message>
    <message>
        <source>The fastest way changes at %1 sizes.</source>
        <translation>Die schnellste Art wechselt bei %1 Größen.</translation>
    </message>
    <message>
        <source>The fastest way changes at 1 size.</source>
        <translation>Die schnellste Art wechselt bei 1 Größe.</translation>
    </message>
    <message>
        <source>The fields below change motifs and channel of the selected collective.</source>
        <translation>Die Felder unten ändern Motive und Kanal des gewählten Kollektivs.</translation>
    </message>
    <message>
        <source>The file ends before its weights do (%1 of %2 bytes); the header is whole.</source>
        <translation>Die Datei endet vor ihren Gewichten (%1 von %2 Bytes); der Kopf ist vollständig.</translation>
    </message>
    <message>
        <source>The file has durations, not times: the timeline lays them end to end, forward in the order of the graph, backward in the reverse.</source>
        <translation>Die Datei hat Dauern, keine Zeitpunkte: Die Zeitachse legt sie aneinander, vorwärts in der Reihenfolge des Graphen, rückwärts in der umgekehrten.</translation>
    </message>
    <message>
        <source>The filter hides all %1.</source>
        <translation>Der Filter verbirgt alle %1.</translation>
    </message>
    <message>
        <source>The first backward span of worker 0 stands at the same place</source>
        <translation>Der erste Rückwärtsabschnitt von Worker 0 steht an derselben Stelle</translation>
    </message>
    <message>
        <source>The forward ops have no sequence numbers: the forward time is shared out in proportion to the layers' backward times.</source>
        <translation>Die Ops des Vorwärtslaufs haben keine Sequenznummern: Seine Zeit ist im Verhältnis der Rückwärtszeiten auf die Schichten verteilt.</translation>
    </message>
    <message>
        <source>The graph of the planned DAG appears here.</source>
        <translation>Hier erscheint der Graph des geplanten DAG.</translation>
    </message>
    <message>
        <source>The incast of the channel "%1" is %2, by %3 measured all-to-alls; their time per byte is missed by %4 % at worst.</source>
        <translation>Der Incast des Kanals „%1“ ist %2, nach %3 gemessenen All-to-Alls; was sie je Byte dauern, wird schlimmstenfalls um %4 % verfehlt.</translation>
    </message>
    <message>
        <source>The iteration is %1, the step that the job was made from.</source>
        <translation>Die Iteration ist %1, der Schritt, aus dem der Job gemacht ist.</translation>
    </message>
    <message>
        <source>The iteration is the mean time of a worker's step; throughput is the curve's.</source>
        <translation>Die Iteration ist die mittlere Zeit eines Schritts eines Workers; der Durchsatz ist der der Kurve.</translation>
    </message>
    <message>
        <source>The iteration time is the distance of the last two iteration starts: every iteration repeats the one before.</source>
        <translation>Die Iterationszeit ist der Abstand der beiden letzten Iterationsbeginne: Jede Iteration wiederholt die vorige.</translation>
    </message>
    <message>
        <source>The iteration, %1, because of:</source>
        <translation>Die Iteration, %1, wegen:</translation>
    </message>
    <message>
        <source>The job has the sum of its ops' times. Where %1 waited for the host between them is not known: %2 no start time. A simulation of it shows no launch gaps.</source>
        <translation>Der Job hat die Summe der Zeiten seiner Ops. Wo %1 dazwischen auf den Host wartete, ist nicht bekannt: %2 keine Startzeit. Eine Simulation davon zeigt keine Startlücken.</translation>
    </message>
    <message>
        <source>The job is %1, the median of the %2 complete steps by length.</source>
        <translation>Der Job ist %1, der Länge nach der Median der %2 vollständigen Schritte.</translation>
    </message>
    <message>
        <source>The job is %1, the median of the %2 steps by length.</source>
        <translation>Der Job ist %1, der Länge nach der Median der %2 Schritte.</translation>
    </message>
    <message>
        <source>The job is %1, the only complete step.</source>
        <translation>Der Job ist %1, der einzige vollständige Schritt.</translation>
    </message>
    <message>
        <source>The job is a training DAG, which has no layers.</source>
        <translation>Der Job ist ein Trainings-DAG, der keine Layer hat.</translation>
    </message>
    <message>
        <source>The job is a training DAG, which has no variables. Its collectives are in the panel Runs, under Plan: the graph, their costs and the editor of a plan.</source>
        <translation>Der Job ist ein Trainings-DAG, der keine Variablen hat. Seine Kollektive stehen im Feld Läufe unter Plan: der Graph, ihre Kosten und der Editor eines Plans.</translation>
    </message>
    <message>
        <source>The job is a training DAG, without layers and variables, so strategies cannot be simulated: its collectives are planned (Search &gt; Plan collectives).</source>
        <translation>Der Job ist ein Trainings-DAG ohne Layer und Variablen, daher lassen sich keine Strategien simulieren: Seine Kollektive werden geplant (Suchen &gt; Kollektive planen).</translation>
    </message>
    <message>
        <source>The job is a training DAG: compute-ops and collectives, without layers, variables and samples.</source>
        <translation>Der Job ist ein Trainings-DAG: Rechen-Ops und Kollektive, ohne Schichten, Variablen und Samples.</translation>
    </message>
    <message>
        <source>The job is not from a profile: nothing was measured.</source>
        <translation>Der Job stammt nicht aus einem Profil: Nichts wurde gemessen.</translation>
    </message>
    <message>
        <source>The job is rank %1's, whose step is the median of the %2 ranks by the time of its layers.</source>
        <translation>Der Job ist der von Rang %1, dessen Schritt nach der Zeit seiner Schichten der Median der %2 Ränge ist.</translation>
    </message>
    <message>
        <source>The job is step %1 (%2), as asked.</source>
        <translation>Der Job ist Schritt %1 (%2), wie verlangt.</translation>
    </message>
    <message>
        <source>The job is step %1, as asked.</source>
        <translation>Der Job ist Schritt %1, wie verlangt.</translation>
    </message>
    <message>
        <source>The job is the work of %1, which computed longest; %2 other workers are only shown.</source>
        <translation>Der Job ist die Arbeit von %1, der am längsten rechnete; %2 andere Worker werden nur gezeigt.</translation>
    </message>
    <message>
        <source>The job that is trained.</source>
        <translation>Der Job, der trainiert wird.</translation>
    </message>
    <message>
        <source>The kinds and groups of collectives in the DAG that is planned</source>
        <translation>Die Arten und Gruppen von Kollektiven im DAG, der geplant wird</translation>
    </message>
    <message>
        <source>The knee is the number of workers beyond which no larger one, up to %1, brings %2 % of a worker's samples/s for each worker more. Each worker keeps its batch.</source>
        <translation>Das Knie ist die Zahl von Workern, über der keine größere, bis %1, je weiterem Worker %2 % der Samples/s eines Workers bringt. Jeder Worker behält seinen Batch.</translation>
    </message>
    <message>
        <source>The knob that is turned from one end of its range to the other; the present setting is marked</source>
        <translation>Der Regler, der von einem Ende seines Bereichs zum anderen gedreht wird; die gegenwärtige Einstellung ist markiert</translation>
    </message>
    <message>
        <source>The layer whose backward completes the gradient.</source>
        <translation>Die Schicht, deren Rückwärtslauf den Gradienten vollendet.</translation>
    </message>
    <message>
        <source>The layers form a chain in the order in which they ran: a profile does not say which op reads which.</source>
        <translation>Die Schichten bilden eine Kette in der Reihenfolge, in der sie liefen: Ein Profil sagt nicht, welche Op welche liest.</translation>
    </message>
    <message>
        <source>The layers' times sum to %1: %2 in which %3 worked for the step, and %4 in which it neither computed nor communicated: waiting for the host, which counts to the layer before it (the end of the step to the update) and is a gap after it in a simulation.</source>
        <translation>Die Zeiten der Schichten ergeben zusammen %1: %2, in denen %3 für den Schritt arbeitete, und %4, in denen weder gerechnet noch kommuniziert wurde: Warten auf den Host, das zur Schicht davor zählt (am Ende des Schritts zur Aktualisierung) und in einer Simulation eine Lücke nach ihr ist.</translation>
    </message>
    <message>
        <source>The links' token buckets (burst_bytes) still empty or fill after %1 iterations: the iteration time is the mean until then.</source>
        <translation>Die Token-Buckets der Links (burst_bytes) leeren oder füllen sich nach %1 Iterationen noch: Die Iterationszeit ist der Mittelwert bis dahin.</translation>
    </message>
    <message>
        <source>The longest of the transfers.</source>
        <translation>Die längste der Übertragungen.</translation>
    </message>
    <message>
        <source>The longest spans of an iteration</source>
        <translation>Die längsten Abschnitte einer Iteration</translation>
    </message>
    <message>
        <source>The machines that %1 runs on, where A's and B's differ.</source>
        <translation>Die Rechner, auf denen %1 läuft, wenn es nicht für beide dieselben sind.</translation>
    </message>
    <message>
        <source>The machines that A and B are simulated on</source>
        <translation>Die Rechner, auf denen A und B simuliert werden</translation>
    </message>
    <message>
        <source>The machines that A and B run on: nodes, devices and links, before the knobs change them</source>
        <translation>Die Rechner, auf denen A und B laufen: Knoten, Geräte und Verbindungen, bevor die Regler sie ändern</translation>
    </message>
    <message>
        <source>The marked iteration</source>
        <translation>Die markierte Iteration</translation>
    </message>
    <message>
        <source>The measured device copies memory for %1 of %2, which the simulated layers' times contain.</source>
        <translation>Das gemessene Gerät kopiert in %1 von %2 Speicherinhalte; in den Zeiten der simulierten Schichten ist das enthalten.</translation>
    </message>
    <message>
        <source>The measured device waits %1 of %2 for its host or for other ranks' compute. The simulated job does not say which part of its layers' time such gaps are.</source>
        <translation>Das gemessene Gerät wartet %1 von %2 auf seinen Host oder auf das Rechnen anderer Ränge. Der simulierte Job sagt nicht, welcher Teil der Zeit seiner Schichten solche Lücken sind.</translation>
    </message>
    <message>
        <source>The measured step takes %1, its simulation %2 %3: error %4</source>
        <translation>Der gemessene Schritt dauert %1, seine Simulation %2 %3: Fehler %4</translation>
    </message>
    <message>
        <source>The next step; you may skip one that you have not done</source>
        <translation>Der nächste Schritt; einen ungetanen dürfen Sie überspringen</translation>
    </message>
    <message>
        <source>The nodes differ; this sets all of them.</source>
        <translation>Die Knoten unterscheiden sich; dies setzt alle.</translation>
    </message>
    <message>
        <source>The nodes have no start times: the timeline replays them, each as soon as its thread or stream is free and its data is there.</source>
        <translation>Die Knoten haben keine Startzeiten: Die Zeitachse spielt sie nach, jeden, sobald sein Thread oder Stream frei ist und seine Daten da sind.</translation>
    </message>
    <message>
        <source>The objective against the best builder's; below zero is a hit.</source>
        <translation>Das Ziel gegenüber dem des besten Builders; unter null ist es ein Treffer.</translation>
    </message>
    <message>
        <source>The only complete step has the job's layers: its durations are kept as a sample.</source>
        <translation>Der einzige vollständige Schritt hat die Schichten des Jobs: Seine Dauern bleiben als Stichprobe.</translation>
    </message>
    <message>
        <source>The optimizer's update of the job runs on the parameter server, which takes no time for it here.</source>
        <translation>Die Aktualisierung durch den Optimierer des Jobs läuft auf dem Parameterserver, der dafür hier keine Zeit braucht.</translation>
    </message>
    <message>
        <source>The order chooses among pulls and collectives that wait; pushes go as gradients become ready.</source>
        <translation>Die Reihenfolge wählt unter wartenden Pulls und Kollektiven; Pushes gehen, sobald Gradienten bereit sind.</translation>
    </message>
    <message>
        <source>The picture cannot be drawn at this size</source>
        <translation>Das Bild lässt sich in dieser Größe nicht zeichnen</translation>
    </message>
    <message>
        <source>The plan of each method. Click or B: set as B, Enter or A: set as A, Ctrl+C: copy rows.</source>
        <translation>Der Plan jeder Methode. Klick oder B: als B, Eingabe oder A: als A, Strg+C: Zeilen kopieren.</translation>
    </message>
    <message>
        <source>The plan of the chosen planner</source>
        <translation>Der Plan des gewählten Planers</translation>
    </message>
    <message>
        <source>The plan that is edited</source>
        <translation>Der Plan, der bearbeitet wird</translation>
    </message>
    <message>
        <source>The plans are for the number of GPUs at the time of planning: sweep the knob to plan for others.</source>
        <translation>Die Pläne sind für so viele Prozesse, wie es GPUs gab, als sie erstellt wurden: Ein Durchlauf über den Regler plant für andere.</translation>
    </message>
    <message>
        <source>The plot, how long received tensors take to parse, or the curves and their points</source>
        <translation>Das Diagramm, wie lange empfangene Tensoren zum Parsen brauchen, oder die Kurven und ihre Punkte</translation>
    </message>
    <message>
        <source>The points are in samples/s and the curve in steps/s: state the batch in its settings to compare them.</source>
        <translation>Die Punkte sind in Samples/s und die Kurve in Schritten/s: Geben Sie den Batch in ihren Einstellungen an, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>The policy of A has no settings to tune: choose another policy for A, such as bytescheduler.</source>
        <translation>Die Policy von A hat keine Einstellungen, die sich abstimmen lassen: Wählen Sie für A eine andere Policy, etwa bytescheduler.</translation>
    </message>
    <message>
        <source>The policy of A has no such setting: choose another one.</source>
        <translation>Die Policy von A hat diese Einstellung nicht: Wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>The policy of one side, as settings of the system that implements it.</source>
        <translation>Die Policy einer Seite als Einstellungen des Systems, zu dem sie gehört.</translation>
    </message>
    <message>
        <source>The present curve and the kept ones. A mark shows a curve, F2 renames it, Del removes it; the table shows the selected one.</source>
        <translation>Die gegenwärtige Kurve und die behaltenen. Ein Häkchen zeigt eine Kurve, F2 benennt sie um, Entf entfernt sie; die Tabelle gehört zur gewählten.</translation>
    </message>
    <message>
        <source>The profile does not say how many ranks on which machines trained together: choose the cluster that it was recorded on.</source>
        <translation>Das Profil sagt nicht, wie viele Ränge auf welchen Rechnern gemeinsam trainierten: Wählen Sie den Cluster, auf dem es aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>The profile does not say which machines it was recorded on: it is simulated on cluster %1. Choose the cluster that it belongs to.</source>
        <translation>Das Profil sagt nicht, auf welchen Rechnern es aufgezeichnet wurde: Es wird auf dem Cluster %1 simuliert. Wählen Sie den Cluster, zu dem es gehört.</translation>
    </message>
    <message>
        <source>The profile does not state the sizes of the model's variables: nothing is synchronised in a simulation.</source>
        <translation>Das Profil sagt die Größen der Variablen des Modells nicht: In einer Simulation wird nichts abgeglichen.</translation>
    </message>
    <message>
        <source>The profile has a single step, which every worker repeats.</source>
        <translation>Das Profil hat einen einzigen Schritt, den jeder Worker wiederholt.</translation>
    </message>
    <message>
        <source>The profile has a single step, which every worker repeats: on equal shares they may fall into lockstep, so this is a lower bound (uneven shares break it).</source>
        <translation>Das Profil hat einen einzigen Schritt, den jeder Worker wiederholt: Bei gleichen Anteilen können sie in Gleichschritt geraten, daher ist dies eine untere Schranke (ungleiche Anteile brechen ihn auf).</translation>
    </message>
    <message>
        <source>The profile has no collectives that can be planned as recorded; the gradients of its layers are planned instead, as in data-parallel training.</source>
        <translation>Das Profil hat keine Kollektive, die sich wie aufgezeichnet planen ließen; stattdessen werden die Gradienten seiner Schichten geplant, wie bei datenparallelem Training.</translation>
    </message>
    <message>
        <source>The profile marks no single training step that the job was made from: the simulation is not compared with a measured step.</source>
        <translation>Das Profil markiert keinen einzelnen Trainingsschritt, aus dem der Job gemacht wäre: Die Simulation wird nicht mit einem gemessenen Schritt verglichen.</translation>
    </message>
    <message>
        <source>The profile names %1 variables without their sizes, such as %2: they are not synchronised in a simulation.</source>
        <translation>Das Profil nennt %1 Variablen ohne ihre Größen, etwa %2: Von ihnen wird in einer Simulation nichts abgeglichen.</translation>
    </message>
    <message>
        <source>The profile was recorded on %1, and is simulated on cluster %2, which was chosen before. Cluster “%3” is the profile's own.</source>
        <translation>Das Profil wurde aufgezeichnet auf: %1; simuliert wird es auf dem Cluster %2, der vorher gewählt war. Der Cluster „%3“ ist der des Profils.</translation>
    </message>
    <message>
        <source>The project's arrangement of panels cannot be read; panels stay as they are.</source>
        <translation>Die Anordnung der Bereiche im Projekt ist nicht lesbar; die Bereiche bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>The ranks of %1 collectives are not evenly spaced: their groups are assumed to be of neighbours.</source>
        <translation>Die Ränge von %1 Kollektiven haben keine gleichen Abstände: Ihre Gruppen gelten als Nachbarn.</translation>
    </message>
    <message>
        <source>The ranks of %1 collectives were not recorded: they are assumed to span all processes.</source>
        <translation>Die Ränge von %1 Kollektiven wurden nicht aufgezeichnet: Sie gelten als Kollektive aller Prozesse.</translation>
    </message>
    <message>
        <source>The resource that is busy for the largest share of the time; at 100 % it is saturated</source>
        <translation>Die Ressource, die den größten Anteil der Zeit beschäftigt ist; bei 100 % ist sie ausgelastet</translation>
    </message>
    <message>
        <source>The same channel, all-to-alls first, with the best number of segments and splines</source>
        <translation>Derselbe Kanal, All-to-Alls zuerst, mit der besten Zahl von Segmenten und Splines</translation>
    </message>
    <message>
        <source>The same channel, the last submitted first, with the best number of segments and splines</source>
        <translation>Derselbe Kanal, das zuletzt Eingereichte zuerst, mit der besten Zahl von Segmenten und Splines</translation>
    </message>
    <message>
        <source>The same seed finds the same plans.</source>
        <translation>Derselbe Startwert findet dieselben Pläne.</translation>
    </message>
    <message>
        <source>The same seed judges the same settings.</source>
        <translation>Derselbe Startwert wertet dieselben Einstellungen aus.</translation>
    </message>
    <message>
        <source>The same seed tries the same strategies.</source>
        <translation>Derselbe Startwert versucht dieselben Strategien.</translation>
    </message>
    <message>
        <source>The same strategy cannot be carried out faster than:
compute: the work of the busiest compute stream, with its waits for the host;
network: the bytes over the busiest link at its rate;
queues: the work of the busiest connection, host or communicator, of the present tasks;
dependencies: the longest chain of the present tasks, among the first four distinct workers, if nothing queued or shared a link.</source>
        <translation>Dieselbe Strategie lässt sich nicht schneller ausführen als:
Rechnen: die Arbeit des am meisten beschäftigten Rechenstroms, mit seinem Warten auf den Host;
Netz: die Bytes über die am meisten belastete Verbindung mit deren Rate;
Warteschlangen: die Arbeit der am längsten belegten Verbindung, des Hosts oder Kommunikators, der jetzigen Aufgaben;
Abhängigkeiten: die längste Kette der jetzigen Aufgaben, unter den ersten vier verschiedenen Workern, wenn nichts anstünde oder eine Verbindung teilte.</translation>
    </message>
    <message>
        <source>The schedule does not repeat within %1 iterations, but those of the later half differ by %2 % in length at most: the iteration time is their mean.</source>
        <translation>Der Ablauf wiederholt sich nicht innerhalb von %1 Iterationen, aber die der späteren Hälfte unterscheiden sich in der Länge um höchstens %2 %: Die Iterationszeit ist ihr Mittelwert.</translation>
    </message>
    <message>
        <source>The schedule does not repeat within %1 iterations, too few for a confidence: the iteration time is the mean of the later half.</source>
        <translation>Der Ablauf wiederholt sich nicht innerhalb von %1 Iterationen, zu wenige für eine Konfidenz: Die Iterationszeit ist der Mittelwert der späteren Hälfte.</translation>
    </message>
    <message>
        <source>The schedule does not repeat within %1 iterations: the iteration time is a mean, ±%2 % at 95 % confidence.</source>
        <translation>Der Ablauf wiederholt sich nicht innerhalb von %1 Iterationen: Die Iterationszeit ist ein Mittelwert, ±%2 % bei 95 % Konfidenz.</translation>
    </message>
    <message>
        <source>The schedule repeats every %1 iterations: the iteration time is the mean over them.</source>
        <translation>Der Ablauf wiederholt sich alle %1 Iterationen: Die Iterationszeit ist der Mittelwert über sie.</translation>
    </message>
    <message>
        <source>The server that reduces it, its all-reduce group, or the policy's bucket; grey: the policy ignores it.</source>
        <translation>Der Server, der sie reduziert, ihre All-Reduce-Gruppe oder der Bucket der Policy; grau: Die Policy beachtet es nicht.</translation>
    </message>
    <message>
        <source>The shortest of the transfers, from its start to its end.</source>
        <translation>Die kürzeste der Übertragungen, von Anfang bis Ende.</translation>
    </message>
    <message>
        <source>The side whose cluster, links and placement are shown</source>
        <translation>Die Seite, deren Cluster, Verbindungen und Platzierung gezeigt werden</translation>
    </message>
    <message>
        <source>The side whose scenario it is</source>
        <translation>Die Seite, deren Szenario es ist</translation>
    </message>
    <message>
        <source>The simulation was cancelled.</source>
        <translation>Die Simulation wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The simulation with a faster link failed.</source>
        <translation>Die Simulation mit einer schnelleren Verbindung ist gescheitert.</translation>
    </message>
    <message>
        <source>The sizes do not add up: the %1 gradient collectives of the step move %2 elements%3, its variables have %4 (%5 apart). A simulated strategy synchronises the variables: variables that the recorded run did not all-reduce (sharded, frozen), or reductions that are not of gradients, make the difference.</source>
        <translation>Die Größen stimmen nicht überein: Die %1 Gradientenkollektive des Schritts bewegen %2 Elemente%3, seine Variablen haben %4 (Unterschied: %5). Eine simulierte Strategie gleicht die Variablen ab: Den Unterschied machen Variablen, die der aufgezeichnete Lauf nicht mit All-Reduce reduzierte (verteilte, eingefrorene), oder Reduktionen von anderem als Gradienten.</translation>
    </message>
    <message>
        <source>The staleness of %1 is not reached in %2 iterations: the figures are for the time before.</source>
        <translation>Die Staleness von %1 ist nach %2 Iterationen nicht erreicht: Die Werte sind die davor.</translation>
    </message>
    <message>
        <source>The step before</source>
        <translation>Der vorige Schritt</translation>
    </message>
    <message>
        <source>The step could not be compared with its simulation: %1</source>
        <translation>Der Schritt ließ sich nicht mit seiner Simulation vergleichen: %1</translation>
    </message>
    <message>
        <source>The step that all %1 ranks recorded whole is played again; with the recorded durations the play is the profile.</source>
        <translation>Der Schritt, den alle %1 Ränge vollständig aufgezeichnet haben, wird nachgespielt; mit den aufgezeichneten Dauern ist das Spiel das Profil.</translation>
    </message>
    <message>
        <source>The steps behind this curve cannot be shown: %1</source>
        <translation>Die Schritte hinter dieser Kurve lassen sich nicht zeigen: %1</translation>
    </message>
    <message>
        <source>The strategy and policy that are simulated.</source>
        <translation>Die Strategie und die Policy, die simuliert werden.</translation>
    </message>
    <message>
        <source>The strategy of one side, for AutoDist or as text; for a side that shows a plan, the plan for the library that runs it.</source>
        <translation>Die Strategie einer Seite, für AutoDist oder als Text; von einer Seite, die einen Plan zeigt, dieser Plan, für das, was ihn ausführt.</translation>
    </message>
    <message>
        <source>The table ends after %1 of %2 crossover points.</source>
        <translation>Die Tabelle endet nach %1 von %2 Kreuzungspunkten.</translation>
    </message>
    <message>
        <source>The table of the search's candidates</source>
        <translation>Die Tabelle dessen, was die Suche versucht hat</translation>
    </message>
    <message>
        <source>The table's series that belongs to the selected curve.</source>
        <translation>Die Messreihe der Tabelle, die zur gewählten Kurve gehört.</translation>
    </message>
    <message>
        <source>The timeline has changed since: run the query again to select its spans.</source>
        <translation>Die Zeitachse hat sich seither geändert: Führen Sie die Abfrage noch einmal aus, um ihre Abschnitte zu wählen.</translation>
    </message>
    <message>
        <source>The timeline has the recorded starts.</source>
        <translation>Die Zeitachse hat die aufgezeichneten Startzeiten.</translation>
    </message>
    <message>
        <source>The timeline has the recorded starts. Nodes without one (%1) started at 0 on this clock: the format does not write a start of 0, and nothing in the trace contradicts it.</source>
        <translation>Die Zeitachse hat die aufgezeichneten Startzeiten. Knoten ohne eine (%1) starteten auf dieser Uhr bei 0: Das Format schreibt einen Start bei 0 nicht, und nichts im Trace spricht dagegen.</translation>
    </message>
    <message>
        <source>The timeline of one side.</source>
        <translation>Die Zeitachse einer Seite.</translation>
    </message>
    <message>
        <source>The timeline shows no span of that name.</source>
        <translation>Die Zeitachse zeigt keinen Abschnitt dieses Namens.</translation>
    </message>
    <message>
        <source>The timelines, or a panel that is open</source>
        <translation>Die Zeitachsen oder ein offener Bereich</translation>
    </message>
    <message>
        <source>The trace counts as one step. Durations are taken as microseconds.</source>
        <translation>Der Trace zählt als ein Schritt. Dauern werden als Mikrosekunden genommen.</translation>
    </message>
    <message>
        <source>The trace does not say which collective a wait was for: the first work that was launched after a wait behind a collective, and began when it had ended, is taken to depend on it, though the wait may have been for another one.</source>
        <translation>Die Aufzeichnung sagt nicht, auf welches Kollektiv gewartet wurde: Die erste Arbeit, die nach einem Warten hinter einem Kollektiv gestartet wurde und nach dessen Ende begann, gilt als abhängig von ihm, auch wenn das Warten einem anderen gegolten haben kann.</translation>
    </message>
    <message>
        <source>The trace has %1 bytes; it is binary and has no preview.</source>
        <translation>Der Trace hat %1 Byte, die kein Text sind.</translation>
    </message>
    <message>
        <source>The trace has no device work: the outermost CPU ops are the compute, their times are CPU times.</source>
        <translation>Die Aufzeichnung hat keine Arbeit auf Geräten: Die äußersten CPU-Ops sind das Rechnen, ihre Zeiten sind CPU-Zeiten.</translation>
    </message>
    <message>
        <source>The trace has no waits of the host: the first work that was launched after a collective and began when it had ended is taken to depend on it, though it may have begun then by chance.</source>
        <translation>Die Aufzeichnung hat kein Warten des Hosts: Die erste Arbeit, die nach einem Kollektiv gestartet wurde und nach dessen Ende begann, gilt als abhängig von ihm, auch wenn sie zufällig dann begonnen haben kann.</translation>
    </message>
    <message>
        <source>The variables' shapes were not recorded (record_shapes=True records them): the %1 gradient buckets with %2 elements stand for them, each at the layer whose backward completed it%3.</source>
        <translation>Die Formen der Variablen wurden nicht aufgezeichnet (record_shapes=True tut das): Die %1 Gradienten-Buckets mit %2 Elementen stehen für sie, jeder bei der Schicht, deren Rückwärtslauf ihn vervollständigte%3.</translation>
    </message>
    <message>
        <source>The view after</source>
        <translation>Die nächste Ansicht</translation>
    </message>
    <message>
        <source>The view before</source>
        <translation>Die vorige Ansicht</translation>
    </message>
    <message>
        <source>The whole cluster; select nodes to change only them.</source>
        <translation>Der ganze Cluster; wählen Sie Knoten, um nur diese zu ändern.</translation>
    </message>
    <message>
        <source>The whole run: pinned lanes, then worker 0's in their order; if those are nearly idle beside the host's threads,
two of them and the busiest threads.
Drag the window to move it, its edges to resize it, click to place it.</source>
        <translation>Der ganze Lauf: angeheftete Spuren, dann die von Worker 0 in ihrer Reihenfolge. Wo diese neben den Threads des
Hosts fast nichts tun, zwei von ihnen und die Threads, die am meisten tun.
Ziehen Sie das Fenster, um es zu verschieben, seine Ränder, um es zu vergrößern; ein Klick setzt es.</translation>
    </message>
    <message>
        <source>The work of the servers' CPUs is free.</source>
        <translation>Was die CPUs der Server tun, kostet nichts.</translation>
    </message>
    <message>
        <source>Their time is not known; record the CUDA activity too, and whole steps.</source>
        <translation>Ihre Zeit ist nicht bekannt; zeichnen Sie auch die CUDA-Aktivität auf und ganze Schritte.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Theme: %1</source>
        <translation>Farbschema: %1</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Diesen Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no training step that could be simulated: %1. To simulate, %2.</source>
        <translation>Es gibt keinen Trainingsschritt, der sich simulieren ließe: %1. Zum Simulieren: %2.</translation>
    </message>
    <message>
        <source>These motifs cannot be carried out faster than:
compute: the work of the compute stream;
links and channels: the work of the busiest one;
any plan: no plan of these collectives on these channels is faster.</source>
        <translation>Diese Motive lassen sich nicht schneller ausführen als:
Rechnen: die Arbeit des Rechenstroms;
Links und Kanäle: die Arbeit des am stärksten belasteten;
jeder Plan: Kein Plan dieser Kollektiven auf diesen Kanälen ist schneller.</translation>
    </message>
    <message>
        <source>These ranks may have been recorded at other times: %1. Waiting then cannot be told from transfer: collectives count with their whole durations on each rank, and lanes of two ranks do not belong to one moment. Record all ranks in the same steps.</source>
        <translation>Diese Ränge können zu verschiedenen Zeiten aufgezeichnet worden sein: %1. Warten lässt sich dann nicht von Übertragung unterscheiden: Kollektive zählen auf jedem Rang mit ihrer ganzen Dauer, und Spuren zweier Ränge gehören nicht zum selben Moment. Zeichnen Sie alle Ränge in denselben Schritten auf.</translation>
    </message>
    <message>
        <source>This is a Perfetto trace: slices on tracks, without the layers of a model, so there is no training step that could be simulated. To simulate, open the JSON trace that torch.profiler's export_chrome_trace wrote.</source>
        <translation>Dies ist ein Perfetto-Trace: Abschnitte auf Spuren, ohne die Schichten eines Modells, also ohne einen Trainingsschritt, der sich simulieren ließe. Zum Simulieren öffnen Sie den JSON-Trace, den export_chrome_trace von torch.profiler geschrieben hat.</translation>
    </message>
    <message>
        <source>This is a profile of XLA's profiler (XPlane): devices and host threads without the layers of a model, so there is no training step that could be simulated. To simulate, write a job file with the times of the layers (docs/job-file.md).</source>
        <translation>Dies ist ein Profil von XLAs Profiler (XPlane): Geräte und Host-Threads ohne die Schichten eines Modells, also ohne einen Trainingsschritt, der sich simulieren ließe. Zum Simulieren schreiben Sie eine Jobdatei mit den Zeiten der Schichten (docs/job-file.md).</translation>
    </message>
    <message>
        <source>This is a recording of ROCm's profilers (rocpd): kernels and calls without the framework's ops, so there is no training step that could be simulated. To simulate, record with torch.profiler, activities CPU and CUDA (ROCm counts as CUDA there).</source>
        <translation>Dies ist eine Aufzeichnung von ROCms Profilern (rocpd): Kernel und Aufrufe ohne die Operationen des Frameworks, also ohne einen Trainingsschritt, der sich simulieren ließe. Zum Simulieren zeichnen Sie mit torch.profiler auf, activities CPU und CUDA (ROCm zählt dort als CUDA).</translation>
    </message>
    <message>
        <source>This panel was closed</source>
        <translation>Dieser Bereich wurde geschlossen</translation>
    </message>
    <message>
        <source>This plan has more than %1 motifs, too many to be edited here.</source>
        <translation>Dieser Plan hat mehr als %1 Motive, zu viele, um sie hier zu bearbeiten.</translation>
    </message>
    <message>
        <source>This project was also opened in another window (%1), which works on a copy; changes in this window are still saved.</source>
        <translation>Dieses Projekt wurde auch in einem anderen Fenster geöffnet (%1), das mit einer Kopie arbeitet; Änderungen in diesem Fenster werden weiterhin gespeichert.</translation>
    </message>
    <message>
        <source>This recording holds no training step, so nothing can be simulated: open a profile of training or a job of the catalogue.</source>
        <translation>Diese Aufzeichnung enthält keinen Trainingsschritt, daher lässt sich nichts simulieren: Öffnen Sie ein Profil eines Trainings oder einen Job des Katalogs.</translation>
    </message>
    <message>
        <source>This recording holds no training step, so there is nothing for knobs to change.</source>
        <translation>Diese Aufzeichnung enthält keinen Trainingsschritt, also gibt es nichts, was Regler ändern könnten.</translation>
    </message>
    <message>
        <source>This side has not been simulated</source>
        <translation>Diese Seite wurde nicht simuliert</translation>
    </message>
    <message>
        <source>This side is not simulated yet.</source>
        <translation>Die Simulation dieser Seite ist noch nicht da.</translation>
    </message>
    <message>
        <source>This side shows no strategy: measured, played and planned runs have none</source>
        <translation>Diese Seite zeigt keine Strategie: Gemessenes, Gespieltes und Geplantes hat keine</translation>
    </message>
    <message>
        <source>This side shows played steps, whose causes are not known. Choose a builder to simulate it.</source>
        <translation>Diese Seite zeigt abgespielte Schritte, deren Ursachen nicht bekannt sind. Wählen Sie einen Builder, um sie zu simulieren.</translation>
    </message>
    <message>
        <source>This table is no longer on screen</source>
        <translation>Diese Tabelle ist nicht mehr zu sehen</translation>
    </message>
    <message>
        <source>This wait, %1, because of:</source>
        <translation>Diese Wartezeit, %1, wegen:</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Throughput and parsing overhead</source>
        <translation>Durchsatz und Parse-Kosten</translation>
    </message>
    <message>
        <source>Throughput of asynchronous training over the number of workers</source>
        <translation>Durchsatz asynchronen Trainings über der Zahl der Worker</translation>
    </message>
    <message>
        <source>Throughput over the number of workers</source>
        <translation>Durchsatz über der Zahl der Worker</translation>
    </message>
    <message>
        <source>Throughput, parsing overhead and curves</source>
        <translation>Durchsatz, Parse-Kosten und Kurven</translation>
    </message>
    <message>
        <source>TicTac's order from the graph alone</source>
        <translation>TicTacs Reihenfolge aus dem Graphen allein</translation>
    </message>
    <message>
        <source>TicTac's order from the time that each layer's parameters take</source>
        <translation>TicTacs Reihenfolge aus der Zeit, die die Parameter jeder Schicht brauchen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time after which a trial is ended</source>
        <translation>Zeit, nach der ein Versuch beendet wird</translation>
    </message>
    <message>
        <source>Time during which this link limits a transfer</source>
        <translation>Zeit, in der dieser Link eine Übertragung begrenzt</translation>
    </message>
    <message>
        <source>Time of a motif alone: steps × latency + bytes / bandwidth of its channel; or as measured, from a CSV file (docs/plan.md).</source>
        <translation>Zeit eines Motivs allein: Schritte × Latenz + Bytes / Bandbreite seines Kanals; oder wie gemessen, aus einer CSV-Datei (docs/plan.md).</translation>
    </message>
    <message>
        <source>Time of a steady iteration in seconds, or samples of all workers per second (steps, where the batch is not known)</source>
        <translation>Zeit einer eingeschwungenen Iteration in Sekunden oder Samples aller Worker je Sekunde (Schritte, wo der Batch nicht bekannt ist)</translation>
    </message>
    <message>
        <source>Time of a steady iteration of the plan, in seconds.</source>
        <translation>Zeit einer eingeschwungenen Iteration des Plans, in Sekunden.</translation>
    </message>
    <message>
        <source>Time of a steady iteration, in seconds; of a kept scenario, the time when it was kept.</source>
        <translation>Zeit einer eingeschwungenen Iteration in Sekunden; bei einem behaltenen Szenario die beim Behalten.</translation>
    </message>
    <message>
        <source>Time of all iterations, with the cost of changes of the setting.</source>
        <translation>Zeit aller Iterationen einschließlich der Kosten der Wechsel.</translation>
    </message>
    <message>
        <source>Time of an iteration in which a worker's compute waits for communication, in seconds.</source>
        <translation>Zeit einer Iteration in Sekunden, in der das Rechnen eines Workers auf Kommunikation wartet.</translation>
    </message>
    <message>
        <source>Time of each category in an iteration, worker 0</source>
        <translation>Zeit jeder Kategorie in einer Iteration, Worker 0</translation>
    </message>
    <message>
        <source>Time of each kind of collective over its size, by way and channel, with crossover points</source>
        <translation>Zeit jeder Art Kollektiv über der Größe, je Ausführung und Kanal, und wo die schnellere wechselt</translation>
    </message>
    <message>
        <source>Time of each name in an iteration, worker 0</source>
        <translation>Zeit jedes Namens in einer Iteration, Worker 0</translation>
    </message>
    <message>
        <source>Time that the search took here.</source>
        <translation>Zeit, die die Suche hier brauchte.</translation>
    </message>
    <message>
        <source>Timeline %1</source>
        <translation>Zeitachse %1</translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation>Zeitachsen</translation>
    </message>
    <message>
        <source>Timelines of the planners</source>
        <translation>Zeitachsen der Planer</translation>
    </message>
    <message>
        <source>Timelines of the scenarios</source>
        <translation>Zeitachsen der Szenarien</translation>
    </message>
    <message>
        <source>Timelines of the selected rows, 2 to %1, below each other on one clock (Ctrl+click selects more)</source>
        <translation>Zeitachsen der gewählten Zeilen, 2 bis %1, untereinander auf einer Uhr (Strg+Klick wählt weitere)</translation>
    </message>
    <message>
        <source>Times are those of %1, with concurrent ops counted once; %2 in which none ran count to the layer before them, which waits for the host so long.</source>
        <translation>Zeiten sind die %1, wobei nebeneinander Laufendes einmal zählt; %2, in denen nichts davon lief, zählen zur Schicht davor, die so lange auf den Host wartet.</translation>
    </message>
    <message>
        <source>Times for PyTorch Inductor</source>
        <translation>Zeiten für PyTorch Inductor</translation>
    </message>
    <message>
        <source>Times under other conditions are not known: the judge's are recorded.</source>
        <translation>Zeiten unter anderen Bedingungen sind nicht bekannt: Die der Beurteilung sind aufgezeichnet.</translation>
    </message>
    <message>
        <source>To A</source>
        <translation>Nach A</translation>
    </message>
    <message>
        <source>To B</source>
        <translation>Nach B</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>Topologie</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Total length of its spans in %1: of one step of one rank (streams: of one step).</source>
        <translation>Summe der Längen seiner Abschnitte in %1: je Schritt und Rang (Ströme: je Schritt).</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Traces</translation>
    </message>
    <message>
        <source>Traffic of this variable, or of the bucket that holds it, is under way.</source>
        <translation>Verkehr dieser Variable oder des Buckets, in dem sie liegt, ist unterwegs.</translation>
    </message>
    <message>
        <source>Training DAG</source>
        <translation>Trainings-DAG</translation>
    </message>
    <message>
        <source>Training DAG alone, as a job</source>
        <translation>Nur der Trainings-DAG, als Job</translation>
    </message>
    <message>
        <source>Training DAGs (*.json *.et *.dag);;All files (*)</source>
        <translation>Trainings-DAGs (*.json *.et *.dag);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Training iterations that a running job would have spent on these evaluations.</source>
        <translation>Trainingsiterationen, die ein laufender Job für diese Auswertungen verbraucht hätte.</translation>
    </message>
    <message>
        <source>Training iterations to play.</source>
        <translation>Zu spielende Trainingsiterationen.</translation>
    </message>
    <message>
        <source>Traits of at least 70 % of the best trials and of clearly fewer others. The best are the ten fastest, or a quarter of all if that is fewer; each strategy counts once.</source>
        <translation>Merkmale von mindestens 70 % der besten Versuche und von deutlich weniger anderen. Die besten sind die zehn schnellsten oder, wenn das weniger ist, ein Viertel aller; jede Strategie zählt einmal.</translation>
    </message>
    <message>
        <source>Transfers as one strip</source>
        <translation>Übertragungen als ein Streifen</translation>
    </message>
    <message>
        <source>Transfers as one strip, or each on a lane</source>
        <translation>Übertragungen als ein Streifen oder jede auf einer Spur</translation>
    </message>
    <message>
        <source>Trials after which the temperature is half</source>
        <translation>Versuche, nach denen die Temperatur halb so hoch ist</translation>
    </message>
    <message>
        <source>Trials at once</source>
        <translation>Versuche zugleich</translation>
    </message>
    <message>
        <source>Trust of the ranker: share of pairs in the judge's order over the batches of trials</source>
        <translation>Vertrauen in die Reihung: Anteil der Paare in der Reihenfolge der Beurteilung, über die Stapel von Versuchen</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Probieren</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>Tuned</source>
        <translation>Abgestimmt</translation>
    </message>
    <message>
        <source>Tuner</source>
        <translation>Tuner</translation>
    </message>
    <message>
        <source>Turns one or two knobs from one end of their range to the other</source>
        <translation>Dreht einen oder zwei Regler von einem Ende ihres Bereichs zum anderen</translation>
    </message>
    <message>
        <source>Tutorial</source>
        <translation>Einführung</translation>
    </message>
    <message>
        <source>Two ways of keeping one model the same on all workers: &lt;b&gt;A&lt;/b&gt; all-reduces gradients, &lt;b&gt;B&lt;/b&gt; sends them to parameter servers. Cool colours compute, warm ones communicate; where warm lies under cool, communication is &lt;i&gt;overlapped&lt;/i&gt; and costs nothing.&lt;p&gt;Zoom in with &lt;b&gt;Ctrl+wheel&lt;/b&gt; or &lt;b&gt;W&lt;/b&gt;; &lt;b&gt;F&lt;/b&gt; brings everything back.&lt;/p&gt;</source>
        <translation>Zwei Arten, ein Modell auf allen Workern gleich zu halten: &lt;b&gt;A&lt;/b&gt; reduziert Gradienten mit All-Reduce, &lt;b&gt;B&lt;/b&gt; schickt sie an Parameterserver. Kühle Farben rechnen, warme kommunizieren; wo Warmes unter Kühlem liegt, &lt;i&gt;überlappt&lt;/i&gt; die Kommunikation und kostet nichts.&lt;p&gt;Zoomen Sie mit &lt;b&gt;Strg+Mausrad&lt;/b&gt; oder &lt;b&gt;W&lt;/b&gt;; &lt;b&gt;F&lt;/b&gt; zeigt wieder alles.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Un&amp;pin lane</source>
        <translation>Spur &amp;lösen</translation>
    </message>
    <message>
        <source>Unacknowledged bytes that a connection may have sent, such as 1 MiB; where links are shared by TCP windows.</source>
        <translation>Bytes, die eine Verbindung unbestätigt unterwegs haben darf, etwa 1 MiB; gilt nur, wo TCP-Fenster die Verbindungen teilen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig gemacht: %1</translation>
    </message>
    <message>
        <source>Up and down choose a row, Enter shows its plan in B, left and right move, plus and minus zoom, F fits. Motifs of the editable row can be dragged.</source>
        <translation>Auf und Ab wählen eine Zeile, Eingabe zeigt ihren Plan in B, Links und Rechts verschieben, Plus und Minus zoomen, F passt ein. Motive der bearbeitbaren Zeile lassen sich ziehen.</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <source>Up/Down one step, with Shift ten; double-click the name to reset.</source>
        <translation>Auf/Ab ein Schritt, mit Umschalt zehn; Doppelklick auf den Namen setzt zurück.</translation>
    </message>
    <message>
        <source>Update: the optimizer, host copies and compressors.
Transfer: bytes at the rate that their path gives one flow alone.
Sharing: what other flows on the same links add to that.
Latency: the fixed time of messages.
Host: a node's CPU at work for messages.
Waiting for host: the device idles after an op until its host launches the next one.</source>
        <translation>Update: der Optimierer, Host-Kopien und Kompressoren.
Übertragung: Bytes mit der Rate, die ihr Pfad einem einzelnen Fluss gibt.
Teilung: was andere Flüsse auf denselben Verbindungen hinzufügen.
Latenz: die feste Zeit von Nachrichten.
Host: die CPU eines Knotens bei der Arbeit für Nachrichten.
Warten auf den Host: das Gerät ruht nach einer Operation, bis sein Host die nächste startet.</translation>
    </message>
    <message>
        <source>Valley: neighbouring settings that are equally fast within 0.1 % and have no clearly faster neighbour. No gain is possible where the default is within 1 % of the bound.</source>
        <translation>Tal: benachbarte Einstellungen, die bis auf 0,1 % gleich schnell sind und keinen deutlich schnelleren Nachbarn haben. Kein Gewinn ist möglich, wo die Voreinstellung höchstens 1 % über der Schranke liegt.</translation>
    </message>
    <message>
        <source>Values of both settings; 12 × 8 is the grid of `syncopate-cli tune`</source>
        <translation>Werte beider Einstellungen; 12 × 8 ist das Gitter von `syncopate-cli tune`</translation>
    </message>
    <message>
        <source>Values of each axis, by equal factors or evenly</source>
        <translation>Werte jeder Achse, mit gleichen Faktoren oder gleichmäßig</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Variables from %1 (%2): %3</source>
        <translation>Variablen aus %1 (%2): %3</translation>
    </message>
    <message>
        <source>Variables from this size on are always partitioned; off: the released sampler's 2147483647 bytes</source>
        <translation>Variablen ab dieser Größe werden immer partitioniert; off: die 2147483647 Bytes des veröffentlichten Samplers</translation>
    </message>
    <message>
        <source>Variables in more than one part.</source>
        <translation>Variablen in mehr als einem Teil.</translation>
    </message>
    <message>
        <source>Variables kept on parameter servers; the others are all-reduced.</source>
        <translation>Variablen auf Parameterservern; die anderen laufen über All-Reduce.</translation>
    </message>
    <message>
        <source>Variables of %1</source>
        <translation>Variablen von %1</translation>
    </message>
    <message>
        <source>Variables up to this size stay whole</source>
        <translation>Variablen bis zu dieser Größe bleiben ganz</translation>
    </message>
    <message>
        <source>Variables, largest first</source>
        <translation>Variablen, die größten zuerst</translation>
    </message>
    <message>
        <source>Versions and licence</source>
        <translation>Versionen und Lizenz</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>View beside the remedies</source>
        <translation>Ansicht neben den Abhilfen</translation>
    </message>
    <message>
        <source>View of the planning</source>
        <translation>Ansicht der Planung</translation>
    </message>
    <message>
        <source>View of the results</source>
        <translation>Ansicht der Ergebnisse</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Wait until it is done: the preview follows</source>
        <translation>Warten Sie, bis es fertig ist: Die Vorschau folgt</translation>
    </message>
    <message>
        <source>Waiting for a queue in an iteration</source>
        <translation>Warten auf eine Warteschlange in einer Iteration</translation>
    </message>
    <message>
        <source>Waiting for the first…</source>
        <translation>Wartet auf den ersten…</translation>
    </message>
    <message>
        <source>Waiting for you…</source>
        <translation>Sie sind dran…</translation>
    </message>
    <message>
        <source>Ways of tuning</source>
        <translation>Arten der Abstimmung</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What each piece of the best strategy is worth, and which of the best strategies stay good with other links or a slow worker.</source>
        <translation>Was jedes Stück der besten Strategie wert ist und welche der besten Strategien mit anderen Links oder einem langsamen Worker gut bleiben.</translation>
    </message>
    <message>
        <source>What is to be exported is still being simulated</source>
        <translation>Was exportiert werden soll, wird noch simuliert</translation>
    </message>
    <message>
        <source>What proposals are: rules, or Random+G's draws</source>
        <translation>Was Vorschläge sind: Regeln oder Ziehungen von Random+G</translation>
    </message>
    <message>
        <source>What ranks proposals</source>
        <translation>Was Vorschläge reiht</translation>
    </message>
    <message>
        <source>What the best have in common</source>
        <translation>Was die besten gemeinsam haben</translation>
    </message>
    <message>
        <source>What the selected span does, and what it waited for</source>
        <translation>Was der gewählte Abschnitt tut und worauf er gewartet hat</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>Was exportiert wird</translation>
    </message>
    <message>
        <source>What to plan: the collectives of the profile's step, as they were launched and waited for; the job's layers with one all-reduce each; or a DAG from a file (docs/plan.md). The first two use all GPUs of the cluster.</source>
        <translation>Was zu planen ist: die Kollektive des Schritts im Profil, wie sie gestartet und erwartet wurden; die Schichten des Jobs mit je einem All-Reduce; oder ein DAG aus einer Datei (docs/plan.md). Die ersten beiden nutzen alle GPUs des Clusters.</translation>
    </message>
    <message>
        <source>What would help (still simulating, %1 tried…)</source>
        <translation>Was helfen würde (Simulation läuft noch, %1 probiert…)</translation>
    </message>
    <message numerus="yes">
        <source>What would help, of %n changes that were tried</source>
        <translation>
            <numerusform>Was helfen würde; probiert wurde %n Änderung</numerusform>
            <numerusform>Was helfen würde, von %n probierten Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>When and in what pieces the traffic is sent:</source>
        <translation>Wann und in welchen Stücken gesendet wird:</translation>
    </message>
    <message>
        <source>When it was kept.</source>
        <translation>Wann es behalten wurde.</translation>
    </message>
    <message>
        <source>Where the files are written</source>
        <translation>Wohin die Dateien geschrieben werden</translation>
    </message>
    <message>
        <source>Which side a map shows, or the difference of both</source>
        <translation>Welche Seite eine Karte zeigt, oder die Differenz beider</translation>
    </message>
    <message>
        <source>Whole iteration</source>
        <translation>Ganze Iteration</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why does this worker wait?</source>
        <translation>Warum wartet dieser Worker?</translation>
    </message>
    <message>
        <source>Why the iteration is as long as it is, and what would help</source>
        <translation>Warum die Iteration so lange dauert und was helfen würde</translation>
    </message>
    <message>
        <source>Why the last change was refused</source>
        <translation>Warum die letzte Änderung abgelehnt wurde</translation>
    </message>
    <message>
        <source>Why there are no remedies</source>
        <translation>Warum es keine Abhilfen gibt</translation>
    </message>
    <message>
        <source>Why there is nothing to show</source>
        <translation>Warum es nichts zu zeigen gibt</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>With a world of 1 rank they moved nothing.</source>
        <translation>Bei einer Welt aus 1 Rang bewegten sie nichts.</translation>
    </message>
    <message>
        <source>With links at half and at twice their rate, collectives between nodes take modelled times: measured ones belong to the links as they are.</source>
        <translation>Bei halber und doppelter Rate der Verbindungen dauern Kollektive zwischen Knoten so lange wie modelliert: Gemessene Zeiten gehören zu den Verbindungen, wie sie sind.</translation>
    </message>
    <message>
        <source>With no rank slower than the median: %1, %2</source>
        <translation>Ohne Ränge, die langsamer als der Median sind: %1, %2</translation>
    </message>
    <message>
        <source>Without effect now: everything runs on one node, and nothing crosses a link between nodes.</source>
        <translation>Jetzt ohne Wirkung: Alles läuft auf einem Knoten, und nichts geht über eine Verbindung zwischen Knoten.</translation>
    </message>
    <message>
        <source>Without effect now: only B, which is hidden, uses it. Compare A and B (Ctrl+B) to see its effect.</source>
        <translation>Jetzt ohne Wirkung: Nur B benutzt es und ist ausgeblendet. Vergleichen Sie A und B (Strg+B), um die Wirkung zu sehen.</translation>
    </message>
    <message>
        <source>Without effect now: only measured or played steps are shown. Choose a strategy for a side to simulate it.</source>
        <translation>Jetzt ohne Wirkung: Gezeigt wird Gemessenes oder Gespieltes. Wählen Sie für eine Seite eine Strategie, um sie zu simulieren.</translation>
    </message>
    <message>
        <source>Without effect now: the cluster's named channels have figures of their own.</source>
        <translation>Jetzt ohne Wirkung: Die benannten Kanäle des Clusters haben eigene Werte.</translation>
    </message>
    <message>
        <source>Without effect now: the plan's channels have figures of their own.</source>
        <translation>Jetzt ohne Wirkung: Die Kanäle des Plans haben eigene Werte.</translation>
    </message>
    <message>
        <source>Work of %1 streams is one compute stream, in the order of its starts; concurrent work counts once.</source>
        <translation>Die Arbeit von %1 Streams ist ein Rechenstrom in der Reihenfolge ihrer Starts; was gleichzeitig lief, zählt einmal.</translation>
    </message>
    <message>
        <source>Worker of the statistics</source>
        <translation>Worker der Statistik</translation>
    </message>
    <message>
        <source>Worker, device or rank whose lanes are counted: the one with the longest exposed communication, or the selected span's. Workers that behave alike are one class.</source>
        <translation>Worker, Gerät oder Rang, dessen Spuren gezählt werden: der mit der längsten unverdeckten Kommunikation oder der des gewählten Abschnitts. Worker, die sich gleich verhalten, sind eine Klasse.</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers drift apart: compute alone takes %1 for a step of all workers. Possible gain: %2.</source>
        <translation>Die Worker laufen auseinander: Allein das Rechnen dauert %1 für einen Schritt aller Worker. Möglicher Gewinn: %2.</translation>
    </message>
    <message>
        <source>Workers may drift apart: up to %1 iterations are unrolled, the first %2 left out; throughput is samples over time while all workers are busy, and the iteration time is that of as many samples as all replicas take in one step.</source>
        <translation>Worker können auseinanderlaufen: Bis zu %1 Iterationen sind abgerollt, die ersten %2 ausgelassen; der Durchsatz sind die Samples in der Zeit, in der alle Worker beschäftigt sind, und die Iterationszeit ist die für so viele Samples, wie alle Replikate in einem Schritt verarbeiten.</translation>
    </message>
    <message>
        <source>Workers run %1 steps each in the mean, sampled with replacement, after %2 each that are left out; seed %3.</source>
        <translation>Die Worker führen im Mittel je %1 Schritte aus, mit Zurücklegen gezogen, nach je %2, die nicht zählen; Startwert %3.</translation>
    </message>
    <message>
        <source>Workers run steps sampled with replacement for %1 after %2 that are left out; seed %3.</source>
        <translation>Worker führen %1 lang mit Zurücklegen gezogene Schritte aus, nach %2, die weggelassen sind; Startwert %3.</translation>
    </message>
    <message>
        <source>Workers start at moments drawn from the length of a step.</source>
        <translation>Worker starten zu Zeitpunkten, die aus der Länge eines Schritts gezogen sind.</translation>
    </message>
    <message>
        <source>Workers take the time of the optimizer's update as measured, of served variables too.</source>
        <translation>Worker brauchen für den Schritt des Optimierers die gemessene Zeit, auch für Variablen auf Servern.</translation>
    </message>
    <message>
        <source>Worth</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Worth benchmarking: %1</source>
        <translation>Einen Benchmark wert: %1</translation>
    </message>
    <message>
        <source>Worth of a faster link</source>
        <translation>Wert einer schnelleren Verbindung</translation>
    </message>
    <message>
        <source>Worth of faster links</source>
        <translation>Wert schnellerer Verbindungen</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>Notiz schreiben</translation>
    </message>
    <message>
        <source>Write all rows by op, layer and stream as CSV</source>
        <translation>Alle Zeilen nach Op, Schicht und Strom als CSV schreiben</translation>
    </message>
    <message>
        <source>Write setting…</source>
        <translation>Einstellung schreiben…</translation>
    </message>
    <message>
        <source>Write the answer as CSV or JSON</source>
        <translation>Die Antwort als CSV oder JSON schreiben</translation>
    </message>
    <message>
        <source>Write the cluster as AutoDist reads it, with the knobs' changes</source>
        <translation>Den Cluster schreiben, wie AutoDist ihn liest, mit den Änderungen der Regler</translation>
    </message>
    <message>
        <source>Write the marked setting</source>
        <translation>Die markierte Einstellung schreiben</translation>
    </message>
    <message>
        <source>Write the marked setting as the file that the policy's system reads</source>
        <translation>Die markierte Einstellung als Datei schreiben, die das System der Policy liest</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>%1 wird geschrieben…</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>XLA's all-reduces, combined in the order of the program</source>
        <translation>XLAs All-Reduces, in der Reihenfolge des Programms zusammengefasst</translation>
    </message>
    <message>
        <source>XLA's program returns the variables in the order in which the job lists them, which is the order in which all-reduces are combined.</source>
        <translation>XLAs Programm gibt die Variablen in der Reihenfolge zurück, in der der Job sie nennt; in dieser Reihenfolge werden All-Reduces zusammengefasst.</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>Am Zeiger zoomen</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>Zoom in; W in a timeline</source>
        <translation>Vergrößern; W in einer Zeitachse</translation>
    </message>
    <message>
        <source>Zoom out; S in a timeline</source>
        <translation>Verkleinern; S in einer Zeitachse</translation>
    </message>
    <message>
        <source>Zoom to the span</source>
        <translation>Auf den Abschnitt zoomen</translation>
    </message>
    <message>
        <source>Zooms and swaps glide; off: they happen at once</source>
        <translation>Zoomen und Tauschen gleiten; aus: beides geschieht sofort</translation>
    </message>
    <message>
        <source>a bucket is all-reduced before it has more than this many elements</source>
        <translation>ein Bucket geht in ein All-Reduce, bevor er mehr als so viele Elemente hat</translation>
    </message>
    <message>
        <source>a coin</source>
        <translation>eine Münze</translation>
    </message>
    <message>
        <source>a collective on a named channel takes the time of a ring for each device of a node, whatever the algorithm</source>
        <translation>ein Kollektiv auf einem benannten Kanal dauert bei jedem Algorithmus so lange wie ein Ring für jedes Gerät eines Knotens</translation>
    </message>
    <message>
        <source>a program that gets the files of strategy, job and cluster, runs them and prints the seconds of an iteration; not deterministic</source>
        <translation>ein Programm, das die Dateien von Strategie, Job und Cluster bekommt, sie ausführt und die Sekunden einer Iteration ausgibt; nicht deterministisch</translation>
    </message>
    <message>
        <source>a quotation mark is not closed</source>
        <translation>ein Anführungszeichen ist nicht geschlossen</translation>
    </message>
    <message>
        <source>a ring in the order of its replicas leaves nodes %1 times, in the cluster's order %2 times</source>
        <translation>ein Ring in der Reihenfolge ihrer Replikate verlässt %1-mal einen Knoten, in der des Clusters %2-mal</translation>
    </message>
    <message>
        <source>a slow worker</source>
        <translation>ein langsamer Worker</translation>
    </message>
    <message>
        <source>a worker's gradients over its card</source>
        <translation>die Gradienten eines Workers über seine Karte</translation>
    </message>
    <message>
        <source>acceptance</source>
        <translation>Annahmequote</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>after </source>
        <translation>nach </translation>
    </message>
    <message>
        <source>after the update, parameters are gathered in pieces of at least this many elements</source>
        <translation>nach der Aktualisierung werden Parameter in Stücken von mindestens so vielen Elementen eingesammelt</translation>
    </message>
    <message>
        <source>against</source>
        <translation>über</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>all %1 all-reduced variables or parts are in group %2: none is sent before the last gradient is ready</source>
        <translation>alle %1 Variablen oder Teile mit All-Reduce sind in Gruppe %2: Keine wird gesendet, bevor der letzte Gradient fertig ist</translation>
    </message>
    <message>
        <source>all dense variables</source>
        <translation>alle dicht besetzten Variablen</translation>
    </message>
    <message>
        <source>all in turn</source>
        <translation>alle reihum</translation>
    </message>
    <message>
        <source>all points of a grid</source>
        <translation>alle Punkte eines Gitters</translation>
    </message>
    <message>
        <source>all servers in turn</source>
        <translation>alle Server reihum</translation>
    </message>
    <message>
        <source>all variables</source>
        <translation>alle Variablen</translation>
    </message>
    <message>
        <source>all-gather of %1</source>
        <translation>All-Gather von %1</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>all-reduce %1</source>
        <translation>reduzieren %1 mit All-Reduce</translation>
    </message>
    <message>
        <source>all-reduce in about %1 groups</source>
        <translation>reduzieren in etwa %1 Gruppen mit All-Reduce</translation>
    </message>
    <message>
        <source>all-reduce in one group</source>
        <translation>reduzieren in einer Gruppe mit All-Reduce</translation>
    </message>
    <message>
        <source>all-reduce of %1</source>
        <translation>All-Reduce von %1</translation>
    </message>
    <message>
        <source>all-reduced</source>
        <translation>mit All-Reduce</translation>
    </message>
    <message>
        <source>all-reduced, in a group of its own</source>
        <translation>mit All-Reduce, in einer eigenen Gruppe</translation>
    </message>
    <message>
        <source>all-reduces are combined into one of up to this many bytes</source>
        <translation>All-Reduces werden zu einem von höchstens so vielen Bytes zusammengefasst</translation>
    </message>
    <message>
        <source>all-reduces that may be under way at the same time</source>
        <translation>All-Reduces, die gleichzeitig laufen dürfen</translation>
    </message>
    <message>
        <source>all-to-all of %1</source>
        <translation>All-to-All von %1</translation>
    </message>
    <message>
        <source>and %1 more rows, which are left out</source>
        <translation>und %1 weitere Zeilen, die weggelassen sind</translation>
    </message>
    <message numerus="yes">
        <source>and %n shorter ones</source>
        <translation>
            <numerusform>und %n kürzere</numerusform>
            <numerusform>und %n kürzere</numerusform>
        </translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>any plan</source>
        <translation>jeder Plan</translation>
    </message>
    <message>
        <source>any rate</source>
        <translation>jede Rate</translation>
    </message>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>as the link</source>
        <translation>wie die Verbindung</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>wie üblich</translation>
    </message>
    <message>
        <source>asynchronous</source>
        <translation>asynchron</translation>
    </message>
    <message numerus="yes">
        <source>asynchronous, %n workers</source>
        <translation>
            <numerusform>asynchron, %n Worker</numerusform>
            <numerusform>asynchron, %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>asynchronous: no worker waits for another. bounded staleness: a worker may be so many steps ahead of the slowest. synchronous: every step waits for all workers.</source>
        <translation>asynchron: Kein Worker wartet auf einen anderen. begrenzter Verzug: Ein Worker darf dem langsamsten so viele Schritte voraus sein. synchron: Jeder Schritt wartet auf alle Worker.</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>at most %1 %</source>
        <translation>höchstens %1 %</translation>
    </message>
    <message>
        <source>at the cost of</source>
        <translation>bei Kosten von</translation>
    </message>
    <message>
        <source>at worst</source>
        <translation>schlimmstenfalls</translation>
    </message>
    <message>
        <source>background traffic</source>
        <translation>Hintergrundverkehr</translation>
    </message>
    <message>
        <source>background traffic of server %1, where the cluster's dedicated servers number %2</source>
        <translation>Hintergrundverkehr von Server %1, während der Cluster %2 eigene Server zählt</translation>
    </message>
    <message>
        <source>background traffic of worker %1, where the cluster's workers number %2</source>
        <translation>Hintergrundverkehr von Worker %1, während der Cluster %2 Worker zählt</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>backward of %1</source>
        <translation>Rückwärtslauf von %1</translation>
    </message>
    <message>
        <source>backward of %1 layers, from %2</source>
        <translation>Rückwärtslauf von %1 Schichten, ab %2</translation>
    </message>
    <message>
        <source>bandwidth_gbits and network_jobs change the nodes' cards, and collectives are on the cluster's named channels</source>
        <translation>bandwidth_gbits und network_jobs ändern die Karten der Knoten, und Kollektive laufen auf den benannten Kanälen des Clusters</translation>
    </message>
    <message>
        <source>bandwidth_gbits and network_jobs change the nodes' cards, which carry the traffic of parameter servers only: collectives are on the cluster's named channels</source>
        <translation>bandwidth_gbits und network_jobs ändern die Karten der Knoten, über die nur der Verkehr der Parameterserver läuft: Kollektive laufen auf den benannten Kanälen des Clusters</translation>
    </message>
    <message>
        <source>barrier=on: the next forward waits for all communication, off: for each layer's own.</source>
        <translation>barrier=on: Der nächste Vorwärtslauf wartet auf alle Kommunikation; off: jede Schicht auf ihre eigene.</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>unter %1</translation>
    </message>
    <message>
        <source>best %1 (trial %2)</source>
        <translation>bestes %1 (Versuch %2)</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>bisher bestes</translation>
    </message>
    <message>
        <source>beta: a proposal that is 1 % slower is accepted with probability exp(-greed / 100)</source>
        <translation>beta: Ein Vorschlag, der 1 % langsamer ist, wird mit der Wahrscheinlichkeit exp(-greed / 100) angenommen</translation>
    </message>
    <message>
        <source>between nodes</source>
        <translation>zwischen Knoten</translation>
    </message>
    <message>
        <source>both take as long</source>
        <translation>beide brauchen gleich lang</translation>
    </message>
    <message>
        <source>bottleneck</source>
        <translation>Engpass</translation>
    </message>
    <message>
        <source>bottleneck:
%1</source>
        <translation>Engpass:
%1</translation>
    </message>
    <message>
        <source>bound of any plan</source>
        <translation>Schranke jedes Plans</translation>
    </message>
    <message>
        <source>bounded staleness</source>
        <translation>begrenzter Verzug</translation>
    </message>
    <message>
        <source>broadcast of %1</source>
        <translation>Broadcast von %1</translation>
    </message>
    <message>
        <source>broadcast of %1 within its node</source>
        <translation>knoteninterner Broadcast von %1</translation>
    </message>
    <message>
        <source>bucket %1</source>
        <translation>Bucket %1</translation>
    </message>
    <message>
        <source>bucket cap</source>
        <translation>Bucket-Grenze</translation>
    </message>
    <message>
        <source>bucket size</source>
        <translation>Bucket-Größe</translation>
    </message>
    <message>
        <source>build the strategy for this cluster</source>
        <translation>die Strategie für diesen Cluster bauen</translation>
    </message>
    <message>
        <source>build the strategy for this job; AutoDist drops such configurations</source>
        <translation>die Strategie für diesen Job bauen; AutoDist verwirft solche Konfigurationen</translation>
    </message>
    <message>
        <source>busiest</source>
        <translation>am meisten belastet</translation>
    </message>
    <message>
        <source>busiest: %1, %2 %</source>
        <translation>am meisten belastet: %1, %2 %</translation>
    </message>
    <message>
        <source>by the profile</source>
        <translation>nach dem Profil</translation>
    </message>
    <message>
        <source>by the profile: TCP windows where its transfers were recorded, else equal shares. equal: max-min fair at every moment. uneven: every transfer draws a weight, as TCP flows differ from moment to moment; breaks the lockstep of workers whose steps are all alike. TCP windows: connections with windows over first-come-first-served queues; slower to compute.</source>
        <translation>nach dem Profil: TCP-Fenster, wenn seine Übertragungen aufgezeichnet sind, sonst gleiche Anteile. gleiche Anteile: in jedem Moment max-min-fair. ungleiche Anteile: Jede Übertragung zieht ein Gewicht, da sich TCP-Flüsse von Moment zu Moment unterscheiden; das bricht den Gleichschritt von Workern auf, deren Schritte alle gleich sind. TCP-Fenster: TCP-Verbindungen mit Fenstern über Warteschlangen, die bedienen, was zuerst kommt; dauert länger zu rechnen.</translation>
    </message>
    <message>
        <source>by their own clocks %1 was recorded %2 after %3 had ended</source>
        <translation>nach ihren eigenen Uhren wurde %1 erst %2 nach dem Ende von %3 aufgezeichnet</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>bytes that a stream sends before it waits for its next turn</source>
        <translation>Bytes, die ein Stream sendet, bevor er auf seine nächste Runde wartet</translation>
    </message>
    <message>
        <source>bytes that may be under way at the same time; for byteps, in the sums over a machine's devices</source>
        <translation>Bytes, die gleichzeitig unterwegs sein dürfen; bei byteps in den Summen über die Geräte einer Maschine</translation>
    </message>
    <message>
        <source>c_am: neighbouring layers are reduced together; off: drawn one by one</source>
        <translation>c_am: Benachbarte Schichten werden zusammen reduziert; off: einzeln gezogen</translation>
    </message>
    <message>
        <source>c_lb: how much fuller a likely server may be</source>
        <translation>c_lb: wie viel voller ein wahrscheinlicher Server sein darf</translation>
    </message>
    <message>
        <source>c_lb: the server with most room for its bandwidth; off: any server</source>
        <translation>c_lb: der Server mit dem meisten Platz für seine Bandbreite; off: irgendein Server</translation>
    </message>
    <message>
        <source>calibrate with logs of as many ranks</source>
        <translation>mit Logs von ebenso vielen Rängen kalibrieren</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>cannot be</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>cannot be played</source>
        <translation>kann nicht gespielt werden</translation>
    </message>
    <message>
        <source>cannot be simulated: %1</source>
        <translation>nicht simulierbar: %1</translation>
    </message>
    <message>
        <source>chains</source>
        <translation>Ketten</translation>
    </message>
    <message>
        <source>change from</source>
        <translation>ändern ab</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>Kanal %1</translation>
    </message>
    <message>
        <source>character %1</source>
        <translation>Zeichen %1</translation>
    </message>
    <message>
        <source>choose a policy that leaves variables where they are, such as fifo</source>
        <translation>eine Policy wählen, die Variablen lässt, wo sie sind, etwa fifo</translation>
    </message>
    <message>
        <source>choose algorithm=ring or tree, or all_reduce_spec=AUTO</source>
        <translation>algorithm=ring oder tree wählen oder all_reduce_spec=AUTO</translation>
    </message>
    <message>
        <source>choose algorithm=ring, or a cluster without named channels</source>
        <translation>algorithm=ring wählen oder einen Cluster ohne benannte Kanäle</translation>
    </message>
    <message>
        <source>choose algorithm=ring, or all_reduce_spec=NCCL or AUTO</source>
        <translation>algorithm=ring wählen oder all_reduce_spec=NCCL oder AUTO</translation>
    </message>
    <message>
        <source>choose fifo, which joins a strategy's groups, or leave the groups as they are: they change nothing</source>
        <translation>fifo wählen, das die Gruppen einer Strategie verbindet, oder die Gruppen lassen, wie sie sind: Sie ändern nichts</translation>
    </message>
    <message>
        <source>choose fifo, which reduces each as the strategy says</source>
        <translation>fifo wählen, das jede so reduziert, wie die Strategie es sagt</translation>
    </message>
    <message>
        <source>choose form=analytic</source>
        <translation>form=analytic wählen</translation>
    </message>
    <message>
        <source>choose form=flows or a cluster without named channels, unless collectives are to stay as they are</source>
        <translation>form=flows wählen oder einen Cluster ohne benannte Kanäle, sofern die Kollektive nicht bleiben sollen, wie sie sind</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>click a gap</source>
        <translation>auf eine Lücke klicken</translation>
    </message>
    <message>
        <source>click or B: set as B   A: set as A</source>
        <translation>Klick oder B: als B   A: als A</translation>
    </message>
    <message>
        <source>cluster %1</source>
        <translation>Cluster %1</translation>
    </message>
    <message>
        <source>cluster's</source>
        <translation>des Clusters</translation>
    </message>
    <message>
        <source>coarse map, %1: “%2” makes the whole map</source>
        <translation>grobe Karte, %1: „%2“ erstellt die ganze</translation>
    </message>
    <message>
        <source>collective, not planned yet</source>
        <translation>Kollektiv, noch nicht geplant</translation>
    </message>
    <message>
        <source>combine threshold</source>
        <translation>Kombinierschwelle</translation>
    </message>
    <message>
        <source>compare it with &lt; &lt;= &gt; &gt;= = or !=</source>
        <translation>vergleichen Sie sie mit &lt; &lt;= &gt; &gt;= = oder !=</translation>
    </message>
    <message>
        <source>compare it with =, != or ~ (contains)</source>
        <translation>vergleichen Sie ihn mit =, != oder ~ (enthält)</translation>
    </message>
    <message>
        <source>compression of %1</source>
        <translation>Kompression von %1</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>compute alone</source>
        <translation>Rechnen allein</translation>
    </message>
    <message>
        <source>compute and host bound</source>
        <translation>durch Rechnen und Host begrenzt</translation>
    </message>
    <message>
        <source>compute bound</source>
        <translation>durch Rechnen begrenzt</translation>
    </message>
    <message>
        <source>compute idle %1 %</source>
        <translation>Rechenleerlauf %1 %</translation>
    </message>
    <message>
        <source>compute, %1</source>
        <translation>Rechnen, %1</translation>
    </message>
    <message>
        <source>computes at %1 of the job's speed</source>
        <translation>rechnet mit dem %1-fachen Tempo des Jobs</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>connections at their own limit</source>
        <translation>Verbindungen an ihrer eigenen Grenze</translation>
    </message>
    <message>
        <source>consecutive layers of at least this many bytes are gathered and scattered together</source>
        <translation>aufeinanderfolgende Schichten von mindestens so vielen Bytes werden zusammen eingesammelt und verteilt</translation>
    </message>
    <message>
        <source>coordinate descent from the present setting, one knob at a time as long as it gets faster</source>
        <translation>Koordinatenabstieg von der jetzigen Einstellung aus, ein Regler nach dem anderen, solange es schneller wird</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>count dedicated servers from 0; a server on a worker's node shares that worker's link</source>
        <translation>eigene Server ab 0 zählen; ein Server auf dem Knoten eines Workers teilt dessen Link</translation>
    </message>
    <message>
        <source>count workers (replicas) from 0</source>
        <translation>Worker (Replikate) ab 0 zählen</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritischer Pfad</translation>
    </message>
    <message>
        <source>cursor %1</source>
        <translation>Cursor %1</translation>
    </message>
    <message>
        <source>decompression of %1</source>
        <translation>Dekompression von %1</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>dense variables below %1</source>
        <translation>dicht besetzte Variablen unter %1</translation>
    </message>
    <message>
        <source>dense variables of %1 and more</source>
        <translation>dicht besetzte Variablen ab %1</translation>
    </message>
    <message>
        <source>dependencies</source>
        <translation>Abhängigkeiten</translation>
    </message>
    <message>
        <source>dependency bound</source>
        <translation>durch Abhängigkeiten begrenzt</translation>
    </message>
    <message>
        <source>dimension %1 is %2, a prime, so it is split into %3 parts of one row</source>
        <translation>Dimension %1 ist %2, eine Primzahl, also ist sie in %3 Teile zu einer Zeile geteilt</translation>
    </message>
    <message>
        <source>does not lower the average error of their ends (%1 % with it, %2 % without)</source>
        <translation>senkt den mittleren Fehler ihrer Enden nicht (%1 % mit, %2 % ohne)</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>ziehen</translation>
    </message>
    <message>
        <source>drawn at random</source>
        <translation>zufällig gezogen</translation>
    </message>
    <message>
        <source>each alone</source>
        <translation>jede für sich</translation>
    </message>
    <message>
        <source>each in a group of its own</source>
        <translation>jeder in einer eigenen Gruppe</translation>
    </message>
    <message>
        <source>each message when it is ready, one at a time per sender</source>
        <translation>jede Nachricht, sobald sie bereit ist, je Sender immer nur eine</translation>
    </message>
    <message>
        <source>each time</source>
        <translation>jedes Mal</translation>
    </message>
    <message>
        <source>effects of other channels on each other are left out.</source>
        <translation>Wirkungen anderer Kanäle aufeinander sind ausgelassen.</translation>
    </message>
    <message>
        <source>efficiency %1 %</source>
        <translation>Effizienz %1 %</translation>
    </message>
    <message>
        <source>end the text with "</source>
        <translation>beenden Sie den Text mit "</translation>
    </message>
    <message>
        <source>ended by itself after %1 of %2 trials: at most %3 is left to gain above the bound of %4, seed %5</source>
        <translation>von selbst beendet nach %1 von %2 Versuchen: Über der Schranke von %4 ist noch höchstens %3 zu gewinnen, Startwert %5</translation>
    </message>
    <message>
        <source>ended by itself after %1 of %2 trials: nothing is left to try, seed %3</source>
        <translation>von selbst beendet nach %1 von %2 Versuchen: Es ist nichts mehr zu versuchen, Startwert %3</translation>
    </message>
    <message>
        <source>equal shares</source>
        <translation>gleiche Anteile</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>Fehler %1</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>evaluation %1, chain %2: %3, %4</source>
        <translation>Auswertung %1, Kette %2: %3, %4</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>exposed</source>
        <translation>unverdeckt</translation>
    </message>
    <message>
        <source>exposed %1</source>
        <translation>unverdeckt %1</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>unverdeckte Kommunikation</translation>
    </message>
    <message>
        <source>exposed so far %1, %2, B − A </source>
        <translation>bisher unverdeckt %1, %2, B − A </translation>
    </message>
    <message>
        <source>exposed, A − B</source>
        <translation>unverdeckt, A − B</translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>schnellste</translation>
    </message>
    <message>
        <source>fastest of the map</source>
        <translation>schnellste der Karte</translation>
    </message>
    <message>
        <source>fastest of the map: %1 %2 (%3)</source>
        <translation>schnellste der Karte: %1 %2 (%3)</translation>
    </message>
    <message>
        <source>fastest quarter found</source>
        <translation>schnellstes Viertel gefunden</translation>
    </message>
    <message>
        <source>filled in the variables' order</source>
        <translation>gefüllt in der Reihenfolge der Variablen</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>angepasst</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>forward of %1</source>
        <translation>Vorwärtslauf von %1</translation>
    </message>
    <message>
        <source>forward of %1 layers, from %2</source>
        <translation>Vorwärtslauf von %1 Schichten, ab %2</translation>
    </message>
    <message>
        <source>from %1, takes %2</source>
        <translation>ab %1, dauert %2</translation>
    </message>
    <message>
        <source>from iteration %1: %2</source>
        <translation>ab Iteration %1: %2</translation>
    </message>
    <message>
        <source>from iteration %1: %2 (the change took %3)</source>
        <translation>ab Iteration %1: %2 (der Wechsel brauchte %3)</translation>
    </message>
    <message>
        <source>fuses messages by rules of its own</source>
        <translation>verschmilzt, was es sendet, nach eigenen Regeln</translation>
    </message>
    <message>
        <source>fusion buffer</source>
        <translation>Fusionspuffer</translation>
    </message>
    <message>
        <source>gRPC opens one connection from each process to each other, on which all streams take turns</source>
        <translation>gRPC öffnet eine Verbindung von jedem Prozess zu jedem anderen, auf der alle Ströme sich abwechseln</translation>
    </message>
    <message>
        <source>gRPC's streams: a window of each, then the rest</source>
        <translation>gRPCs Ströme: von jedem ein Fenster, dann der Rest</translation>
    </message>
    <message>
        <source>give all of them the same sync and staleness</source>
        <translation>allen dieselbe Synchronität (sync) und Staleness geben</translation>
    </message>
    <message>
        <source>give each kind a group of its own</source>
        <translation>jeder Art eine eigene Gruppe geben</translation>
    </message>
    <message>
        <source>give the policy hash=strategy, which keeps the strategy's placement</source>
        <translation>der Policy hash=strategy geben, das die Verteilung der Strategie behält</translation>
    </message>
    <message>
        <source>gradients and values over the nodes' cards</source>
        <translation>Gradienten und Werte über die Karten der Knoten</translation>
    </message>
    <message>
        <source>gradients are collected into one all-reduce until it has at least this many bytes</source>
        <translation>Gradienten werden in einem All-Reduce gesammelt, bis es mindestens so viele Bytes hat</translation>
    </message>
    <message>
        <source>gradients are reduced in buckets of about this many elements while the backward pass goes on; 0: 40 million, or one million per replica if that is more</source>
        <translation>Gradienten werden während des Rückwärtslaufs in Buckets von etwa so vielen Elementen reduziert; 0: 40 Millionen, oder eine Million je Replikat, wenn das mehr ist</translation>
    </message>
    <message>
        <source>gradients that became ready within a cycle are fused into all-reduces of up to this many bytes</source>
        <translation>Gradienten, die in einem Zyklus fertig werden, werden zu All-Reduces von höchstens so vielen Bytes verschmolzen</translation>
    </message>
    <message>
        <source>gradients that became ready within a cycle, fused</source>
        <translation>was innerhalb eines Zyklus bereit wurde, zusammengefasst</translation>
    </message>
    <message>
        <source>gradients when they are ready, values read when the step is over</source>
        <translation>Gradienten, sobald sie bereit sind; Werte werden gelesen, wenn der Schritt vorbei ist</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>group %1 has variables of %2 kinds (type, spec, compressor), which cannot be sent as one</source>
        <translation>Gruppe %1 hat Variablen von %2 Arten (Typ, Spec, Kompressor), die nicht als eine gesendet werden können</translation>
    </message>
    <message>
        <source>group threshold</source>
        <translation>Gruppenschwelle</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>groups of %1</source>
        <translation>Gruppen zu %1</translation>
    </message>
    <message>
        <source>groups of %1 in the variables' order</source>
        <translation>Gruppen von %1 in der Reihenfolge der Variablen</translation>
    </message>
    <message>
        <source>half its measured times</source>
        <translation>die Hälfte seiner gemessenen Zeiten</translation>
    </message>
    <message>
        <source>hit rate</source>
        <translation>Trefferquote</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>host copy of %1</source>
        <translation>Host-Kopie von %1</translation>
    </message>
    <message>
        <source>hundredths</source>
        <translation>Hundertstel</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>in %1 parts</source>
        <translation>in %1 Teilen</translation>
    </message>
    <message>
        <source>in AutoSync's Table 1</source>
        <translation>in AutoSyncs Tabelle 1</translation>
    </message>
    <message>
        <source>in groups of up to %1</source>
        <translation>in Gruppen von bis zu %1</translation>
    </message>
    <message>
        <source>in parts of %1</source>
        <translation>in Teilen von %1</translation>
    </message>
    <message>
        <source>in the fewest even parts</source>
        <translation>in möglichst wenigen gleichen Teilen</translation>
    </message>
    <message>
        <source>in the fewest even parts of a random dimension</source>
        <translation>in möglichst wenigen gleichen Teilen einer zufälligen Dimension</translation>
    </message>
    <message>
        <source>in the fewest uneven parts</source>
        <translation>in möglichst wenigen ungleichen Teilen</translation>
    </message>
    <message>
        <source>inside %1</source>
        <translation>innen %1</translation>
    </message>
    <message>
        <source>inside nodes</source>
        <translation>in Knoten</translation>
    </message>
    <message>
        <source>inside: %1 %2; 1 Gbit/s more saves %3</source>
        <translation>innen: %1 %2; 1 Gbit/s mehr spart %3</translation>
    </message>
    <message>
        <source>interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>into A</source>
        <translation>nach A</translation>
    </message>
    <message>
        <source>into B</source>
        <translation>nach B</translation>
    </message>
    <message>
        <source>is more than parsing takes (at most %1)</source>
        <translation>ist mehr, als Parsen dauert (höchstens %1)</translation>
    </message>
    <message>
        <source>it is %1, and the compressor turns float32 into float16</source>
        <translation>sie ist %1, und der Kompressor macht aus float32 float16</translation>
    </message>
    <message>
        <source>it is stopping</source>
        <translation>sie wird gerade angehalten</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>iteration %1 of %2</source>
        <translation>Iteration %1 von %2</translation>
    </message>
    <message>
        <source>iteration %1 of %2 as %3</source>
        <translation>Iteration %1 von %2 als %3</translation>
    </message>
    <message>
        <source>iteration %1, %2 %3</source>
        <translation>Iteration %1, %2 %3</translation>
    </message>
    <message>
        <source>iteration %1, %2, %3: %4</source>
        <translation>Iteration %1, %2, %3: %4</translation>
    </message>
    <message>
        <source>iteration time</source>
        <translation>Iterationszeit</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>its gradient is sparse and all-reduced over %1 nodes, which AutoDist's runtime refuses</source>
        <translation>ihr Gradient ist dünn besetzt und läuft per All-Reduce über %1 Knoten, was AutoDists Laufzeit verweigert</translation>
    </message>
    <message>
        <source>its gradient is sparse, and a proxy would copy the whole of it to every worker</source>
        <translation>ihr Gradient ist dünn besetzt, und ein Proxy würde ihn ganz auf jeden Worker kopieren</translation>
    </message>
    <message>
        <source>its height</source>
        <translation>seiner Höhe</translation>
    </message>
    <message>
        <source>its rule: %1</source>
        <translation>seine Regel: %1</translation>
    </message>
    <message>
        <source>its width</source>
        <translation>seiner Breite</translation>
    </message>
    <message>
        <source>job file</source>
        <translation>Job-Datei</translation>
    </message>
    <message>
        <source>job's batch</source>
        <translation>Batch des Jobs</translation>
    </message>
    <message>
        <source>judged before the knobs were turned</source>
        <translation>beurteilt vor dem Drehen der Regler</translation>
    </message>
    <message>
        <source>judging the builders' strategies, %1 of %2…</source>
        <translation>die Strategien der Builder werden beurteilt, %1 von %2…</translation>
    </message>
    <message>
        <source>keep a copy of %1 on each node</source>
        <translation>halten %1 als Kopie auf jedem Knoten</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>kept in the project</source>
        <translation>im Projekt behalten</translation>
    </message>
    <message>
        <source>kept, %1</source>
        <translation>behalten, %1</translation>
    </message>
    <message>
        <source>knee</source>
        <translation>Knie</translation>
    </message>
    <message>
        <source>lane from the devices</source>
        <translation>Link von den Geräten</translation>
    </message>
    <message>
        <source>lane to the devices</source>
        <translation>Link zu den Geräten</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>größer</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>later layers</source>
        <translation>spätere Schichten</translation>
    </message>
    <message>
        <source>layer by layer</source>
        <translation>Schicht für Schicht</translation>
    </message>
    <message>
        <source>layers are fused into groups below this many bytes</source>
        <translation>Schichten werden zu Gruppen unter so vielen Bytes verschmolzen</translation>
    </message>
    <message>
        <source>layers up to %1 %</source>
        <translation>Schichten bis %1 %</translation>
    </message>
    <message>
        <source>leave %1 whole</source>
        <translation>lassen %1 ganz</translation>
    </message>
    <message>
        <source>leave slow servers out of the strategy, or choose a policy that keeps its placement</source>
        <translation>langsame Server aus der Strategie nehmen oder eine Policy wählen, die deren Platzierung behält</translation>
    </message>
    <message>
        <source>leave the credit as it is: it changes nothing; bytescheduler's is held until a partition is pulled</source>
        <translation>den Kredit lassen, wie er ist: Er ändert nichts; der von bytescheduler ist belegt, bis eine Partition gezogen ist</translation>
    </message>
    <message>
        <source>leave them as they are: they change nothing</source>
        <translation>sie lassen, wie sie sind: Sie ändern nichts</translation>
    </message>
    <message>
        <source>leave these columns out, or choose form=flows or a cluster without named channels</source>
        <translation>diese Spalten weglassen oder form=flows wählen oder einen Cluster ohne benannte Kanäle</translation>
    </message>
    <message>
        <source>less than 1 s</source>
        <translation>weniger als 1 s</translation>
    </message>
    <message>
        <source>link %1, each direction</source>
        <translation>Verbindung %1 je Richtung</translation>
    </message>
    <message>
        <source>links %1 carry %2 Gbit/s, as the fast ones of %3 recorded gradient all-reduces did (a ring's bus bandwidth; waiting in them makes it a lower bound).</source>
        <translation>Links %1 übertragen %2 Gbit/s, wie die schnellen von %3 aufgezeichneten All-Reduces von Gradienten (Busbandbreite eines Rings; Warten in ihnen macht sie zu einer Untergrenze).</translation>
    </message>
    <message>
        <source>links at half</source>
        <translation>halbe Verbindungen</translation>
    </message>
    <message>
        <source>links at twice</source>
        <translation>doppelte Verbindungen</translation>
    </message>
    <message>
        <source>list of tensors</source>
        <translation>Liste von Tensoren</translation>
    </message>
    <message>
        <source>list the replicas of each node one after the other</source>
        <translation>die Replikate jedes Knotens hintereinander nennen</translation>
    </message>
    <message>
        <source>longest exposed of each side</source>
        <translation>am längsten unverdeckt, je Seite</translation>
    </message>
    <message>
        <source>longest exposed: %1</source>
        <translation>am längsten unverdeckt: %1</translation>
    </message>
    <message>
        <source>look every</source>
        <translation>prüfen alle</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>untere Schranke</translation>
    </message>
    <message>
        <source>make several groups (a smaller chunk_size)</source>
        <translation>mehrere Gruppen bilden (eine kleinere chunk_size)</translation>
    </message>
    <message>
        <source>make several groups; in a file of before 2020-04-29 this number is the chunk size, so build it again with chunk_size=%1</source>
        <translation>mehrere Gruppen bilden; in einer Datei von vor dem 2020-04-29 ist diese Zahl die Chunk-Größe, also mit chunk_size=%1 neu bauen</translation>
    </message>
    <message>
        <source>makes one worker's step take %1 where %2 were recorded</source>
        <translation>lässt den Schritt eines Workers %1 dauern, wo %2 aufgezeichnet wurden</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max</translation>
    </message>
    <message>
        <source>mean of all workers</source>
        <translation>Mittel aller Worker</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>measured %1 %2</source>
        <translation>gemessen %1 %2</translation>
    </message>
    <message>
        <source>messages take turns on them, and a collective in flight has its own</source>
        <translation>auf denen Nachrichten sich abwechseln, und ein laufendes Kollektiv hat eigene</translation>
    </message>
    <message>
        <source>messages take turns on them, and collectives in flight have them together</source>
        <translation>auf denen Nachrichten sich abwechseln, und laufende Kollektive haben sie gemeinsam</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>module size</source>
        <translation>Modulgröße</translation>
    </message>
    <message>
        <source>modules whose all-gathers are issued ahead in the backward pass</source>
        <translation>Module, deren All-Gathers im Rückwärtslauf vorab gestartet werden</translation>
    </message>
    <message>
        <source>modules whose all-gathers are issued ahead in the forward pass; 0: as the streams allow</source>
        <translation>Module, deren All-Gathers im Vorwärtslauf vorab gestartet werden; 0: wie es die Streams erlauben</translation>
    </message>
    <message>
        <source>more memory than allowed</source>
        <translation>mehr Speicher als erlaubt</translation>
    </message>
    <message>
        <source>moves of earlier trials</source>
        <translation>Abwandlungen früherer</translation>
    </message>
    <message>
        <source>neither side could be simulated yet</source>
        <translation>noch konnte keine Seite simuliert werden</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>network bound</source>
        <translation>durch das Netz begrenzt</translation>
    </message>
    <message>
        <source>next iteration waits for it</source>
        <translation>die nächste Iteration wartet darauf</translation>
    </message>
    <message>
        <source>no collective</source>
        <translation>kein Kollektiv</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>ohne Wirkung</translation>
    </message>
    <message>
        <source>no gain is possible here: the default is at the bound of %1</source>
        <translation>hier ist kein Gewinn möglich: Die Vorgabe liegt an der Schranke von %1</translation>
    </message>
    <message>
        <source>no parsing</source>
        <translation>ohne Parsen</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>no search is running</source>
        <translation>es läuft keine Suche</translation>
    </message>
    <message>
        <source>no search was stopped</source>
        <translation>es wurde keine Suche angehalten</translation>
    </message>
    <message>
        <source>no setting could be simulated</source>
        <translation>keine Einstellung ließ sich simulieren</translation>
    </message>
    <message>
        <source>no traffic</source>
        <translation>kein Verkehr</translation>
    </message>
    <message>
        <source>no training step to simulate</source>
        <translation>kein Trainingsschritt zum Simulieren</translation>
    </message>
    <message>
        <source>no trial could be judged</source>
        <translation>kein Versuch ließ sich beurteilen</translation>
    </message>
    <message>
        <source>node-seconds</source>
        <translation>Knotensekunden</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none (a curve)</source>
        <translation>nichts (eine Kurve)</translation>
    </message>
    <message>
        <source>not in it</source>
        <translation>nicht darin</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <source>not pinned</source>
        <translation>nicht angeheftet</translation>
    </message>
    <message>
        <source>not recorded, taken as float32</source>
        <translation>nicht aufgezeichnet, als float32 genommen</translation>
    </message>
    <message>
        <source>not simulated</source>
        <translation>nicht simuliert</translation>
    </message>
    <message>
        <source>not simulated yet</source>
        <translation>noch nicht simuliert</translation>
    </message>
    <message>
        <source>not steady</source>
        <translation>schwankend</translation>
    </message>
    <message>
        <source>not weighed: its throughput or its number of nodes is not known</source>
        <translation>nicht abgewogen: Durchsatz oder Knotenzahl sind nicht bekannt</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing can be faster than %1</source>
        <translation>nichts kann schneller sein als %1</translation>
    </message>
    <message>
        <source>nothing is loaded yet</source>
        <translation>noch nichts geladen</translation>
    </message>
    <message>
        <source>nothing was changed yet</source>
        <translation>noch nichts geändert</translation>
    </message>
    <message>
        <source>nothing was undone</source>
        <translation>noch nichts rückgängig gemacht</translation>
    </message>
    <message>
        <source>of another job: not weighed against this one's rows</source>
        <translation>von einem anderen Job: nicht gegen die Zeilen dieses Jobs abgewogen</translation>
    </message>
    <message>
        <source>of another job; plan again for this one</source>
        <translation>von einem anderen Job; planen Sie für diesen neu</translation>
    </message>
    <message>
        <source>of another job; start again to search this one</source>
        <translation>von einem anderen Job; starten Sie neu, um diesen zu durchsuchen</translation>
    </message>
    <message>
        <source>of its first third</source>
        <translation>des zuerst gereihten Drittels</translation>
    </message>
    <message>
        <source>of the last</source>
        <translation>des letzten</translation>
    </message>
    <message>
        <source>of the second</source>
        <translation>des nächsten</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>on cluster %1, as the profile does not name its machines</source>
        <translation>auf Cluster %1, da das Profil seine Rechner nicht nennt</translation>
    </message>
    <message>
        <source>on links that were measured in pairs (%1) they take longer while another of these is busy.</source>
        <translation>auf Links, die paarweise gemessen wurden (%1), dauern sie länger, solange ein anderer davon belegt ist.</translation>
    </message>
    <message>
        <source>on one node, all-reduce between its GPUs is faster by far (AutoDist, section 3.1)</source>
        <translation>auf einem Knoten ist All-Reduce zwischen seinen GPUs weit schneller (AutoDist, Abschnitt 3.1)</translation>
    </message>
    <message>
        <source>on server %1</source>
        <translation>auf Server %1</translation>
    </message>
    <message>
        <source>on the Pareto front</source>
        <translation>auf der Pareto-Front</translation>
    </message>
    <message>
        <source>on the critical path of the iteration</source>
        <translation>auf dem kritischen Pfad der Iteration</translation>
    </message>
    <message>
        <source>on the machines that the profile names</source>
        <translation>auf den Rechnern, die das Profil nennt</translation>
    </message>
    <message>
        <source>on the shared cluster</source>
        <translation>gemeinsamer Cluster</translation>
    </message>
    <message>
        <source>one more worker brought %1 % of a single worker's</source>
        <translation>ein Worker mehr brachte %1 % dessen, was einer allein schafft</translation>
    </message>
    <message>
        <source>one rule for stretches of layers and classes of sizes, and exceptions for variables; the best rules are changed little by little</source>
        <translation>eine Regel für Strecken von Schichten und Klassen von Größen, und Ausnahmen für Variablen; die besten Regeln werden nach und nach verändert</translation>
    </message>
    <message>
        <source>one worker at two thirds of its speed</source>
        <translation>ein Worker mit zwei Dritteln seiner Geschwindigkeit</translation>
    </message>
    <message>
        <source>only serves</source>
        <translation>nur Server</translation>
    </message>
    <message>
        <source>order of %1</source>
        <translation>Reihenfolge von %1</translation>
    </message>
    <message>
        <source>order within each thread</source>
        <translation>die Reihenfolge in jedem Thread</translation>
    </message>
    <message>
        <source>other communication</source>
        <translation>andere Kommunikation</translation>
    </message>
    <message>
        <source>other compute</source>
        <translation>anderes Rechnen</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>Parse-Kosten</translation>
    </message>
    <message>
        <source>overlap %1 %</source>
        <translation>Überlappung %1 %</translation>
    </message>
    <message>
        <source>pad the dimension to a multiple of the number of servers, or use UnevenPartitionedPS</source>
        <translation>die Dimension auf ein Vielfaches der Zahl der Server auffüllen oder UnevenPartitionedPS verwenden</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>pairs in order</source>
        <translation>Paare in richtiger Reihenfolge</translation>
    </message>
    <message>
        <source>parameter server</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>parameter servers</source>
        <translation>Parameterservern</translation>
    </message>
    <message>
        <source>parsing given</source>
        <translation>Parsen angegeben</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>parts, most urgent first, within a credit that the last part may exceed</source>
        <translation>Teile, der dringendste zuerst, innerhalb eines Credits, den der letzte überschreiten darf</translation>
    </message>
    <message>
        <source>parts; sums over a machine's devices go by priority, never more than the credit</source>
        <translation>Teile; die, die die Geräte einer Maschine summieren, gehen nach Priorität, nie mehr als der Credit</translation>
    </message>
    <message>
        <source>per layer</source>
        <translation>je Schicht</translation>
    </message>
    <message>
        <source>per million</source>
        <translation>je Million</translation>
    </message>
    <message>
        <source>percent</source>
        <translation>Prozent</translation>
    </message>
    <message>
        <source>permute of %1</source>
        <translation>Permute von %1</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>planned before the knobs were turned</source>
        <translation>geplant vor dem Drehen der Regler</translation>
    </message>
    <message>
        <source>planning for the point…</source>
        <translation>plant für den Punkt…</translation>
    </message>
    <message>
        <source>play</source>
        <translation>abspielen</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>plot and table</source>
        <translation>Diagramm und Tabelle</translation>
    </message>
    <message>
        <source>png, svg or pdf; without it, by the end of the picture's name.</source>
        <translation>png, svg oder pdf; ohne Angabe nach der Endung des Bildnamens.</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>points drawn evenly</source>
        <translation>gleichmäßig gezogene Punkte</translation>
    </message>
    <message>
        <source>pp: percentage points</source>
        <translation>PP: Prozentpunkte</translation>
    </message>
    <message>
        <source>pre-training on %1 tokens</source>
        <translation>Vortraining mit %1 Tokens</translation>
    </message>
    <message>
        <source>predicted %1 %2 (%3 to %4)</source>
        <translation>vorhergesagt %1 %2 (%3 bis %4)</translation>
    </message>
    <message>
        <source>present</source>
        <translation>gegenwärtig</translation>
    </message>
    <message>
        <source>programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>proposals</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>ps-lite opens one socket from each worker to each server, and one back, for all partitions</source>
        <translation>ps-lite öffnet einen Socket von jedem Worker zu jedem Server und einen zurück, für alle Partitionen</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>Pull</translation>
    </message>
    <message>
        <source>pull of %1</source>
        <translation>Pull von %1</translation>
    </message>
    <message>
        <source>push</source>
        <translation>Push</translation>
    </message>
    <message>
        <source>push of %1</source>
        <translation>Push von %1</translation>
    </message>
    <message>
        <source>put it on a parameter server, as Parallax does</source>
        <translation>sie wie Parallax auf einen Parameterserver legen</translation>
    </message>
    <message>
        <source>put more variables into a group (a larger chunk_size)</source>
        <translation>mehr Variablen in eine Gruppe nehmen (eine größere chunk_size)</translation>
    </message>
    <message>
        <source>queueing</source>
        <translation>Warteschlangen</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>ranked first</source>
        <translation>zuerst gereiht</translation>
    </message>
    <message>
        <source>record function ids</source>
        <translation>Record-Function-Ids</translation>
    </message>
    <message>
        <source>recorded at %1</source>
        <translation>aufgezeichnet bei %1</translation>
    </message>
    <message>
        <source>recorded times of strategies, a CSV file with columns strategy and seconds</source>
        <translation>aufgezeichnete Zeiten von Strategien, eine CSV-Datei mit den Spalten strategy und seconds</translation>
    </message>
    <message>
        <source>reduce bucket</source>
        <translation>Reduktions-Bucket</translation>
    </message>
    <message>
        <source>reduce-scatter of %1</source>
        <translation>Reduce-Scatter von %1</translation>
    </message>
    <message>
        <source>reduce-scatter under the backward pass, all-gather under the next forward</source>
        <translation>Reduce-Scatter während des Rückwärtslaufs, All-Gather während des nächsten Vorwärtslaufs</translation>
    </message>
    <message>
        <source>reduce-scattered and gathered</source>
        <translation>mit Reduce-Scatter und All-Gather</translation>
    </message>
    <message>
        <source>reduced and broadcast</source>
        <translation>mit Reduce und Broadcast</translation>
    </message>
    <message numerus="yes">
        <source>reduces %1 (%n variables or parts)</source>
        <translation>
            <numerusform>reduziert %1 (%n Variable oder Teil)</numerusform>
            <numerusform>reduziert %1 (%n Variablen oder Teile)</numerusform>
        </translation>
    </message>
    <message>
        <source>reduction of %1</source>
        <translation>Reduktion von %1</translation>
    </message>
    <message>
        <source>reduction of %1 within its node</source>
        <translation>knoteninterne Reduktion von %1</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>Residuum</translation>
    </message>
    <message>
        <source>resource_spec.yml (*.yml *.yaml)</source>
        <translation>resource_spec.yml (*.yml *.yaml)</translation>
    </message>
    <message>
        <source>reverse</source>
        <translation>umgekehrt</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>rocpd database of ROCm's profilers: %1 processes, %2 devices with work.</source>
        <translation>rocpd-Datenbank von ROCms Profilern: %1 Prozesse, %2 Geräte mit Arbeit.</translation>
    </message>
    <message>
        <source>rocpd database of ROCm's profilers: 1 process, %1 devices with work.</source>
        <translation>rocpd-Datenbank von ROCms Profilern: 1 Prozess, %1 Geräte mit Arbeit.</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>samples/s, or steps/s</source>
        <translation>Samples/s oder Schritte/s</translation>
    </message>
    <message>
        <source>saves %1</source>
        <translation>spart %1</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>schema %1</source>
        <translation>Schema %1</translation>
    </message>
    <message>
        <source>search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>Startwert </translation>
    </message>
    <message>
        <source>segments </source>
        <translation>Segmente </translation>
    </message>
    <message>
        <source>sends at %1, receives at %2 of its capacity over the visible time</source>
        <translation>sendet mit %1, empfängt mit %2 seiner Kapazität in der sichtbaren Zeit</translation>
    </message>
    <message>
        <source>sends every variable by itself</source>
        <translation>sendet jede Variable für sich</translation>
    </message>
    <message>
        <source>serve %1</source>
        <translation>legen %1 auf Server</translation>
    </message>
    <message>
        <source>served</source>
        <translation>auf Servern</translation>
    </message>
    <message>
        <source>served, with a copy on each node</source>
        <translation>auf Servern, mit einer Kopie auf jedem Knoten</translation>
    </message>
    <message>
        <source>server only</source>
        <translation>nur Server</translation>
    </message>
    <message>
        <source>servers of %1:
most %2 × mean</source>
        <translation>Server von %1:
max. %2 × Mittel</translation>
    </message>
    <message>
        <source>set local_replication to false</source>
        <translation>local_replication auf false setzen</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>share the bytes out in proportion to bandwidth</source>
        <translation>die Bytes im Verhältnis der Bandbreite verteilen</translation>
    </message>
    <message>
        <source>sharing</source>
        <translation>Teilung</translation>
    </message>
    <message>
        <source>show</source>
        <translation>zeigen</translation>
    </message>
    <message>
        <source>simulated annealing over rules and exceptions for single variables</source>
        <translation>Simulated Annealing über Regeln und Ausnahmen für einzelne Variablen</translation>
    </message>
    <message>
        <source>simulating…</source>
        <translation>Simulation läuft…</translation>
    </message>
    <message>
        <source>size of a process's buffer</source>
        <translation>Größe des Puffers eines Prozesses</translation>
    </message>
    <message>
        <source>slices, the most urgent first, one in flight</source>
        <translation>Scheiben, die dringendste zuerst, eine unterwegs</translation>
    </message>
    <message>
        <source>so has every message and every collective in flight for itself</source>
        <translation>ebenso jede Nachricht und jedes laufende Kollektiv für sich</translation>
    </message>
    <message>
        <source>some ops have</source>
        <translation>einige Ops haben</translation>
    </message>
    <message>
        <source>sparse variables</source>
        <translation>dünn besetzte Variablen</translation>
    </message>
    <message>
        <source>sparse variables likewise</source>
        <translation>dünn besetzte Variablen ebenso</translation>
    </message>
    <message>
        <source>splines </source>
        <translation>Splines </translation>
    </message>
    <message>
        <source>split %1 in %2 parts</source>
        <translation>teilen %1 in %2 Teile</translation>
    </message>
    <message>
        <source>split %1 in parts of about %2</source>
        <translation>teilen %1 in Teile von etwa %2</translation>
    </message>
    <message>
        <source>split along channels, or leave it whole</source>
        <translation>entlang der Kanäle teilen oder ganz lassen</translation>
    </message>
    <message>
        <source>split another dimension by hand, or try RandomAxisPartitionAR</source>
        <translation>von Hand eine andere Dimension teilen oder RandomAxisPartitionAR versuchen</translation>
    </message>
    <message>
        <source>split into fewer parts</source>
        <translation>in weniger Teile teilen</translation>
    </message>
    <message>
        <source>split it into %1 parts</source>
        <translation>sie in %1 Teile teilen</translation>
    </message>
    <message>
        <source>split it, as PartitionedPS does</source>
        <translation>sie teilen, wie PartitionedPS es tut</translation>
    </message>
    <message>
        <source>spread variables with PSLoadBalancing, or split the largest</source>
        <translation>Variablen mit PSLoadBalancing verteilen oder die größte teilen</translation>
    </message>
    <message>
        <source>staleness %1</source>
        <translation>Verzug %1</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>starts </source>
        <translation>Starts </translation>
    </message>
    <message>
        <source>steps/s</source>
        <translation>Schritte/s</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message numerus="yes">
        <source>stopped after %n simulations</source>
        <translation>
            <numerusform>angehalten nach %n Simulation</numerusform>
            <numerusform>angehalten nach %n Simulationen</numerusform>
        </translation>
    </message>
    <message>
        <source>stopped at %1</source>
        <translation>angehalten bei %1</translation>
    </message>
    <message>
        <source>stopped at %1 of %2</source>
        <translation>angehalten bei %1 von %2</translation>
    </message>
    <message>
        <source>stopped at %1 of %2 simulations</source>
        <translation>angehalten bei %1 von %2 Simulationen</translation>
    </message>
    <message>
        <source>stopped before the first plan</source>
        <translation>vor dem ersten Plan angehalten</translation>
    </message>
    <message>
        <source>stopped with %1 of %2 plans</source>
        <translation>angehalten mit %1 von %2 Plänen</translation>
    </message>
    <message>
        <source>stopping at %1 of %2…</source>
        <translation>wird bei %1 von %2 angehalten…</translation>
    </message>
    <message>
        <source>stretches</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>sweep, %1</source>
        <translation>Durchlauf, %1</translation>
    </message>
    <message>
        <source>synchronous</source>
        <translation>synchron</translation>
    </message>
    <message numerus="yes">
        <source>synchronous, %n workers</source>
        <translation>
            <numerusform>synchron, %n Worker</numerusform>
            <numerusform>synchron, %n Worker</numerusform>
        </translation>
    </message>
    <message>
        <source>system, dark or light.</source>
        <translation>system, dark oder light.</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>tensors are cut into pieces of this many bytes</source>
        <translation>Tensoren werden in Stücke von so vielen Bytes geschnitten</translation>
    </message>
    <message>
        <source>the CPU</source>
        <translation>die CPU</translation>
    </message>
    <message>
        <source>the accelerator's kernels</source>
        <translation>der Kernel des Beschleunigers</translation>
    </message>
    <message>
        <source>the band's high end</source>
        <translation>das obere Ende des Bandes</translation>
    </message>
    <message>
        <source>the band's low end</source>
        <translation>das untere Ende des Bandes</translation>
    </message>
    <message>
        <source>the bytes of its collectives over their connections</source>
        <translation>die Bytes seiner Kollektive über deren Verbindungen</translation>
    </message>
    <message>
        <source>the bytes over %1</source>
        <translation>die Bytes über %1</translation>
    </message>
    <message>
        <source>the channels' figures</source>
        <translation>die Werte der Kanäle</translation>
    </message>
    <message>
        <source>the clock began longer before the trace than the trace lasts</source>
        <translation>die Uhr begann länger vor dem Trace, als der Trace dauert</translation>
    </message>
    <message>
        <source>the cluster has measured times of %1 collectives, and collectives as flows do not take them</source>
        <translation>der Cluster hat gemessene Zeiten von %1 Kollektiven, und Kollektive als Flüsse verwenden sie nicht</translation>
    </message>
    <message>
        <source>the cluster names %1 channels, and collectives as flows are on the nodes' NICs, %2 at a time</source>
        <translation>der Cluster nennt %1 Kanäle, und Kollektive als Flüsse laufen über die NICs der Knoten, %2 zugleich</translation>
    </message>
    <message>
        <source>the cluster's measured collectives have other numbers of ranks than its %1 replicas</source>
        <translation>die gemessenen Kollektive des Clusters haben andere Zahlen von Rängen als seine %1 Replikate</translation>
    </message>
    <message>
        <source>the compute of a worker</source>
        <translation>das Rechnen eines Workers</translation>
    </message>
    <message>
        <source>the credit of %1 limits the sums over a machine's devices, and here every machine has one</source>
        <translation>der Kredit von %1 begrenzt die Summen über die Geräte einer Maschine, und hier hat jede Maschine eines</translation>
    </message>
    <message>
        <source>the default takes %1 longer</source>
        <translation>die Vorgabe dauert %1 länger</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>das Gerät</translation>
    </message>
    <message>
        <source>the ends of their %1 collectives differ by %2 % of the collectives' durations (median %3), and ranks that run together leave a collective together</source>
        <translation>die Enden ihrer %1 Kollektive unterscheiden sich um %2 % der Dauern der Kollektive (Median %3), und Ränge, die zusammen laufen, verlassen ein Kollektiv zusammen</translation>
    </message>
    <message>
        <source>the event simulation of each scenario</source>
        <translation>die Ereignissimulation jedes Szenarios</translation>
    </message>
    <message>
        <source>the event simulation, repeated with noise as on machines</source>
        <translation>die Ereignissimulation, wiederholt mit Rauschen wie auf Rechnern</translation>
    </message>
    <message>
        <source>the fastest</source>
        <translation>die schnellste</translation>
    </message>
    <message numerus="yes">
        <source>the first %n rows</source>
        <translation>
            <numerusform>die erste %n Zeile</numerusform>
            <numerusform>die ersten %n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>the imported profile as it was recorded</source>
        <translation>das importierte Profil, wie es aufgezeichnet wurde</translation>
    </message>
    <message>
        <source>the job has no variable '%1'</source>
        <translation>der Job hat keine Variable „%1“</translation>
    </message>
    <message>
        <source>the job's, data-parallel</source>
        <translation>der des Jobs, datenparallel</translation>
    </message>
    <message>
        <source>the kernel is split into %1 along %2, whatever the number of servers</source>
        <translation>der Kernel ist, wie viele Server es auch gibt, in %1 geteilt, entlang %2</translation>
    </message>
    <message>
        <source>the knee</source>
        <translation>das Knie</translation>
    </message>
    <message>
        <source>the machines on which the profile was recorded, as far as it names them</source>
        <translation>die Maschinen, auf denen das Profil aufgezeichnet wurde, soweit es sie nennt</translation>
    </message>
    <message>
        <source>the method's own</source>
        <translation>eigene der Methode</translation>
    </message>
    <message>
        <source>the ops have</source>
        <translation>die Ops haben</translation>
    </message>
    <message>
        <source>the profile's collectives</source>
        <translation>die Kollektive des Profils</translation>
    </message>
    <message>
        <source>the run begins</source>
        <translation>der Lauf beginnt</translation>
    </message>
    <message>
        <source>the same for the first bucket, so that communication starts early</source>
        <translation>dasselbe für den ersten Bucket, damit die Kommunikation früh beginnt</translation>
    </message>
    <message>
        <source>the search is running</source>
        <translation>die Suche läuft</translation>
    </message>
    <message>
        <source>the strategy</source>
        <translation>die Strategie</translation>
    </message>
    <message>
        <source>the strategy asks for all_reduce_spec=NCCL, and the policy simulates an algorithm that NCCL's all-reduce does not have</source>
        <translation>die Strategie verlangt all_reduce_spec=NCCL, und die Policy simuliert einen Algorithmus, den NCCLs All-Reduce nicht hat</translation>
    </message>
    <message>
        <source>the strategy asks for all_reduce_spec=RING, and the policy simulates another algorithm</source>
        <translation>die Strategie verlangt all_reduce_spec=RING, und die Policy simuliert einen anderen Algorithmus</translation>
    </message>
    <message>
        <source>the strategy has %1 replicas and the cluster %2, and they are not the same devices</source>
        <translation>die Strategie hat %1 Replikate und der Cluster %2, und es sind nicht dieselben Geräte</translation>
    </message>
    <message>
        <source>the strategy has proxies, and %1 pulls a value once a machine without them</source>
        <translation>die Strategie hat Proxys, und %1 zieht einen Wert auch ohne sie einmal je Maschine</translation>
    </message>
    <message>
        <source>the strategy places variables on %1 servers, and %2 chooses among them itself</source>
        <translation>die Strategie verteilt Variablen auf %1 Server, und %2 wählt selbst unter ihnen</translation>
    </message>
    <message>
        <source>the time between two checks for gradients that became ready</source>
        <translation>die Zeit zwischen zwei Prüfungen auf fertige Gradienten</translation>
    </message>
    <message>
        <source>the worker's ops</source>
        <translation>der Ops des Workers</translation>
    </message>
    <message>
        <source>there is no field '%1'</source>
        <translation>es gibt kein Feld „%1“</translation>
    </message>
    <message>
        <source>there is nothing after '!'</source>
        <translation>nach „!“ steht nichts</translation>
    </message>
    <message>
        <source>there is nothing after 'or'</source>
        <translation>nach „or“ steht nichts</translation>
    </message>
    <message>
        <source>there is nothing before 'or'</source>
        <translation>vor „or“ steht nichts</translation>
    </message>
    <message>
        <source>they differ</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>this window goes on in %1</source>
        <translation>dieses Fenster macht in %1 weiter</translation>
    </message>
    <message>
        <source>thousandths</source>
        <translation>Tausendstel</translation>
    </message>
    <message>
        <source>time of a sample</source>
        <translation>Zeit eines Samples</translation>
    </message>
    <message>
        <source>time of a worker's step</source>
        <translation>Zeit eines Schritts eines Workers</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>transfer of %1 between servers</source>
        <translation>Übertragung von %1 zwischen Servern</translation>
    </message>
    <message>
        <source>tree of %1</source>
        <translation>Baum zu %1</translation>
    </message>
    <message>
        <source>trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>trial %1</source>
        <translation>Versuch %1</translation>
    </message>
    <message>
        <source>trial %1 of %2</source>
        <translation>Versuch %1 von %2</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>trials %1 to %2</source>
        <translation>Versuche %1 bis %2</translation>
    </message>
    <message>
        <source>trust of the ranker</source>
        <translation>Vertrauen in die Reihung</translation>
    </message>
    <message>
        <source>tuned: %1</source>
        <translation>abgestimmt: %1</translation>
    </message>
    <message>
        <source>tuners</source>
        <translation>Tuner</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>uneven</source>
        <translation>ungleich</translation>
    </message>
    <message>
        <source>uneven shares</source>
        <translation>ungleiche Anteile</translation>
    </message>
    <message>
        <source>unimodal: going downhill from anywhere finds it</source>
        <translation>unimodal: Bergab findet man das Optimum von überall</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>update of %1</source>
        <translation>Update: %1</translation>
    </message>
    <message>
        <source>update of %1 layers, from %2</source>
        <translation>Update von %1 Schichten, ab %2</translation>
    </message>
    <message>
        <source>use %1 servers</source>
        <translation>nutzen %1 Server</translation>
    </message>
    <message>
        <source>use 1 server</source>
        <translation>nutzen 1 Server</translation>
    </message>
    <message>
        <source>use NoneCompressor</source>
        <translation>NoneCompressor verwenden</translation>
    </message>
    <message>
        <source>use all of the cluster's servers, as PSLoadBalancing does</source>
        <translation>alle Server des Clusters nutzen, wie es PSLoadBalancing tut</translation>
    </message>
    <message>
        <source>use one of %1</source>
        <translation>nehmen Sie eines von %1</translation>
    </message>
    <message>
        <source>use sync=True and staleness=0, or servers for all variables</source>
        <translation>sync=True und staleness=0 verwenden oder Server für alle Variablen</translation>
    </message>
    <message>
        <source>usual rules</source>
        <translation>übliche Regeln</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>variables below %1</source>
        <translation>Variablen unter %1</translation>
    </message>
    <message>
        <source>variables of %1 and more</source>
        <translation>Variablen ab %1</translation>
    </message>
    <message>
        <source>variables of Keras' definition</source>
        <translation>Variablen nach Keras</translation>
    </message>
    <message>
        <source>variables of google-research/bert with its pre-training heads (Devlin et al. 2019)</source>
        <translation>Variablen nach google-research/bert mit den Köpfen des Vortrainings (Devlin et al. 2019)</translation>
    </message>
    <message>
        <source>variables of tensorflow/models' definition (He et al. 2017) with 8 factors and layers 64, 32, 16, 8</source>
        <translation>Variablen nach tensorflow/models (He et al. 2017) mit 8 Faktoren und Schichten der Breite 64, 32, 16, 8</translation>
    </message>
    <message>
        <source>variables of tensorflow/models' definition (He et al. 2017) with MLPerf's 64 factors and layers 256, 256, 128, 64</source>
        <translation>Variablen nach tensorflow/models (He et al. 2017) mit MLPerfs 64 Faktoren und Schichten der Breite 256, 256, 128, 64</translation>
    </message>
    <message>
        <source>variables of tensorflow/models' definition (Vaswani et al. 2017)</source>
        <translation>Variablen nach tensorflow/models (Vaswani et al. 2017)</translation>
    </message>
    <message>
        <source>variables of tf_cnn_benchmarks' definition with 1001 classes</source>
        <translation>Variablen nach tf_cnn_benchmarks mit 1001 Klassen</translation>
    </message>
    <message>
        <source>variables of the LSTM-2048-512 language model (Jozefowicz et al. 2016)</source>
        <translation>Variablen des Sprachmodells LSTM-2048-512 (Jozefowicz et al. 2016)</translation>
    </message>
    <message>
        <source>variables of torchvision's definition (Krizhevsky 2014)</source>
        <translation>Variablen nach torchvision (Krizhevsky 2014)</translation>
    </message>
    <message>
        <source>variables on servers are kept in %1 different ways (synchrony, staleness)</source>
        <translation>Variablen auf Servern werden auf %1 verschiedene Arten gehalten (Synchronität, Staleness)</translation>
    </message>
    <message>
        <source>variables on servers may be stale, but all-reduce keeps the workers in step</source>
        <translation>Variablen auf Servern dürfen veraltet sein, aber All-Reduce hält die Worker im Gleichschritt</translation>
    </message>
    <message>
        <source>vs FIFO</source>
        <translation>gg. FIFO</translation>
    </message>
    <message>
        <source>vs baseline</source>
        <translation>gg. Basis</translation>
    </message>
    <message>
        <source>wait-free backpropagation: a layer as soon as its backward is through, in equal pairs over the servers that the strategy uses</source>
        <translation>Backpropagation ohne Warten: eine Schicht, sobald ihr Rückwärtslauf fertig ist, in gleich großen Paaren über die Server, die die Strategie nutzt</translation>
    </message>
    <message>
        <source>waited for its turn (%1)</source>
        <translation>wartete, bis es an der Reihe war (%1)</translation>
    </message>
    <message>
        <source>waiting for host</source>
        <translation>Warten auf den Host</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>waits for %1 of the iteration before</source>
        <translation>wartet auf %1 der vorigen Iteration</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>ganz</translation>
    </message>
    <message>
        <source>whole messages in an order drawn from the seed</source>
        <translation>ganze Nachrichten in einer Reihenfolge, die der Seed bestimmt</translation>
    </message>
    <message>
        <source>whole messages, in the reverse order of the forward pass</source>
        <translation>ganze Nachrichten, zuerst die, die der Vorwärtslauf zuletzt braucht</translation>
    </message>
    <message>
        <source>whole steps</source>
        <translation>ganze Schritte</translation>
    </message>
    <message>
        <source>whole steps: a step starts when the one before is done, as in TensorFlow. layer by layer: a variable comes back as soon as its gradient arrived; for asynchronous steps of layers only.</source>
        <translation>ganze Schritte: Ein Schritt beginnt, wenn der vorige fertig ist, wie in TensorFlow. Schicht für Schicht: Eine Variable kommt zurück, sobald ihr Gradient angekommen ist; nur bei asynchronen Schritten aus Schichten.</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>Fenster %1</translation>
    </message>
    <message>
        <source>window off</source>
        <translation>Fenster aus</translation>
    </message>
    <message>
        <source>without a schema version</source>
        <translation>ohne Schemaversion</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>write a comparison on both sides of it</source>
        <translation>schreiben Sie auf beide Seiten einen Vergleich</translation>
    </message>
    <message>
        <source>write a field, a comparison and a value: %1</source>
        <translation>schreiben Sie Feld, Vergleich und Wert: %1</translation>
    </message>
    <message>
        <source>write a value after it</source>
        <translation>schreiben Sie einen Wert dahinter</translation>
    </message>
    <message>
        <source>· all-reduce</source>
        <translation>· All-Reduce</translation>
    </message>
    <message>
        <source>· average</source>
        <translation>· mittlere</translation>
    </message>
    <message>
        <source>· backward</source>
        <translation>· rückwärts</translation>
    </message>
    <message>
        <source>· exposed</source>
        <translation>· unverdeckt</translation>
    </message>
    <message>
        <source>· for the host</source>
        <translation>· auf den Host</translation>
    </message>
    <message>
        <source>· forward</source>
        <translation>· vorwärts</translation>
    </message>
    <message>
        <source>· longest</source>
        <translation>· längste</translation>
    </message>
    <message>
        <source>· moved</source>
        <translation>· bewegt</translation>
    </message>
    <message>
        <source>· pull</source>
        <translation>· Pull</translation>
    </message>
    <message>
        <source>· push</source>
        <translation>· Push</translation>
    </message>
    <message>
        <source>· shortest</source>
        <translation>· kürzeste</translation>
    </message>
    <message>
        <source>· transfers</source>
        <translation>· Übertragungen</translation>
    </message>
    <message>
        <source>· update</source>
        <translation>· Update</translation>
    </message>
    <message>
        <source>· while copying</source>
        <translation>· beim Kopieren</translation>
    </message>
    <message>
        <source>× %1</source>
        <translation>× %1</translation>
    </message>
    <message>
        <source>α = %1 ns per byte, β = %2</source>
        <translation>α = %1 ns je Byte, β = %2</translation>
    </message>
    <message>
        <source>–: not simulated; only the %1 links that limit the iteration most are</source>
        <translation>–: nicht simuliert, nur die %1 Verbindungen, die die Iteration am meisten begrenzen, werden es</translation>
    </message>
    <message>
        <source>–: the profile does not say how many samples a step has. State the batch in the panel Profile.</source>
        <translation>–: Das Profil sagt nicht, wie viele Samples ein Schritt hat. Geben Sie den Batch im Bereich Profil an.</translation>
    </message>
    <message>
        <source>“%1” as %2</source>
        <translation>„%1“ als %2</translation>
    </message>
    <message>
        <source>“%1” plays training under these conditions</source>
        <translation>„%1“ spielt Training unter diesen Bedingungen</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>… and %1 more, in the columns of marks</source>
        <translation>… und %1 weitere, in den Spalten der Hinweise</translation>
    </message>
    <message>
        <source>…or drop a profile, job or cluster file anywhere in this window.</source>
        <translation>…oder ziehen Sie eine Profil-, Job- oder Clusterdatei in dieses Fenster.</translation>
    </message>
    <message>
        <source>−1 iteration</source>
        <translation>−1 Iteration</translation>
    </message>
    <message>
        <source>−1 iteration: the previous one's motif</source>
        <translation>−1 Iteration: das Motiv der vorigen</translation>
    </message>
    <message>
        <source>◆: on the Pareto front. No other row of this job is at least as fast and as cheap per sample, needs no more memory where all rows state it, and is better in one of these.</source>
        <translation>◆: auf der Pareto-Front. Keine andere Zeile dieses Jobs ist je Sample mindestens so schnell und so billig, braucht nicht mehr Speicher, wo alle Zeilen ihn nennen, und ist in einem davon besser.</translation>
    </message>
    <message>
        <source>✓ Done</source>
        <translation>✓ Erledigt</translation>
    </message>
</context>
</TS>
