// @ts-check
// White's scores of the starts by number, from book/fairness/, in displayed centipawns.

/**
 * For each variant the standard error of a score, and a letter for each score, whose code is the score plus 43.
 * @type {Record<string, [number, string]>}
 */
const TABLES = {
  chess960: [
    7,
    ":<?FC40NKKO66=C<91[7C=<KHEQ9N7HXK<??C=6?<9939CEHN6?@@=<NO:FHBHQI<==?1BZF@HI?CKIFKLB?B=K:FQ=Q?T9@@KCHQCH:"
      + "C@<L+9=LN7<=3?4.B:L7?:=W:?<<U=.4C=@6HTI?61U4HII?:6:::9OLOHE:HUZ=BBNQ<U<IXII6FO7NfN=@RUUBQTB:QHH@E3FC<<N3"
      + "C?C:E:QFBHFE==KCC?61W@HI99C6LF@=7:9<RH=4EKICB1@TE:97CCU@IHI?^BC@I?E6:CBLQCF<:H64I=E<I4BL@IUQ0=H@K@KCF=KE"
      + "B67C<K<E9EB:6@N4WK@=QRKKN<3BB=76UB=WKCO4I@96@@TBBHB1<7@N=T<BFZ76=UHZI:7:C4:QI<BQN9=4U@UF@74H=:BEREENI==W"
      + "LE9@C4?IIE@@=?L:.9H?O?O<9B76@9RWK?@?@<]@@OFX<^F<aL@?1W99?iC<Oc<L<E?4FB@EFCBC7@U@QC9F<HBCLFEO`:7=<@N?EEKW"
      + "?7@1L9=1E=4@LEC:=ECCE@<B6??ZBK:7:=O9I`BR?=UF[<-RF:?EC@T<9BF@H=@K@E?B@=6LF7=?F:KF9@I7gI<E`?CB<B@F4LI<@NH?"
      + "9E?=LC@3?B7<WBI=<=<4@?X@?=<E:<7<OFO?C014E<<=<KHRH=0<LB@c1`RL^=7`60F<3Hc=ZNK=<BBB[<7@E@@?BF<6?LH64<<@U??="
      + ":K9<<K=`LB<=I@:=)@F<IRULO6K6TK=6QC@<IWHK9KNCLF9:NWXNXZBHQBBE1XB?X?a?<6CL<=CHN<<L1:F@FCK9EC?ET=6FT<7?<@Q4"
      + "Z@97<:N=:E9CBN?91QFI7@HB<Q1F4LTFE3B4[<HKXC:^9NCI6F=<F7[F4Q?IF@7OO`C<C4EHC<F@@?3OB?=IF=::RB7<NRF[F9=CKUBI"
      + "I?C<KWE:4@6F@BQ=LI==@g@H",
  ],
  ifrc: [
    5,
    "5<?;=MM5EBG:09@;6US4C4Q-74N257;16@+5?Dg0DVa2;AI39LY8Dfm4UEK11BB8;&35706;3?46>>79?4B7D043>@66C6/.3O;8IQW3"
      + "D4G61456/MS3TOS8BAO9,:5<@BM>W_Y=NBR4>;@24MN;bBY7@LR93FD=3453=07;43B4=?B26A4.KW@6?G/;387:397+;6;:45>79/?<"
      + "8368988123*3<A>543>89/9:@7<3A:B66>89/8K95BI:3B9977575;>F:FK>;;D6CD8;725>?AK4-C:8A9)/E824:7B5.2-<@==3JN<0"
      + "B@/4J36>9276*@9?CH7;4=87<@3650>B<G=05GN93-27<.783DD95BQD0=1AJD>0E6B<475BB?E>P8=8=GAB1AB-A@Q6TLJ0?FG.7?J3"
      + "8JE8HNVBJKL=BCK/6@K86CZ;95X0@GB977131/14=7*55F81AHK1;QJ:K7115+/8958;3;9<4GK:CHV/4.6>=1D0A57<37747356>7S7"
      + "<34716C7<85887N5=5E;@9E1+4:79:@449315A:,71I8GL@9E56-C436D4838G64GC6/5/7F:;@?3H803G243E72/=A:>G?8<G815661"
      + "739/P?7>K/78=;192/1>F202>018>:/2:,97F;94:=58GA;512/440B524SB>F</0040='4=D(33=@B8-8<.GWOKG7@=4;??11=2EIUB"
      + ">BPJABPI24;53GIH?@J><CLBDQB6EAAA?A7=.;J@B;?B3+A2.HED;BG0,9??;E61>503@6:3:::3CPUOEDIK=IW946?6BPQP?FaN/O`A"
      + "450&4NSP9CRR/FW(7:,1BAZ?46YN2CA7;<:@E:@?6H@=ABN8=2(587$6<:27<>77.814=Oj[CJhK=FI;97/5I\\T>C`G6:AB</:3.;QJ"
      + "O5?KM=;=.1:.3>ESC8BWB449@",
  ],
};

/**
 * Returns the score of a start as { score, error, mean } in centipawns; null if no table has it.
 * @param {string} variant
 * @param {number | null} number
 */
export function startScore(variant, number) {
  const table = variant === "chess" ? "chess960" : variant;
  if (!TABLES[table] || number === null) return null;
  const [error, text] = TABLES[table];
  const scores = Array.from(text, (letter) => letter.charCodeAt(0) - 43);
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return { score: scores[number], error, mean };
}
