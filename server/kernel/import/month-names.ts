// Month names in the languages that files use most, without case and diacritics.

const names = [
  'january januar jan janvier janv enero ene gennaio gen januari janeiro',
  'february februar feb fevrier fevr febrero febbraio februari fevereiro fev',
  'march marz maerz mar mrz mars marzo maart mrt marco',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mag mei maio',
  'june juni jun juin junio giugno giu junho',
  'july juli jul juillet juil julio luglio lug julho',
  'august aug aout agosto ago augustus',
  'september sept sep septembre septiembre settembre set setembro',
  'october oktober oct okt octobre octubre ottobre ott outubro out',
  'november nov novembre noviembre novembro',
  'december dezember dec dez decembre diciembre dic dicembre dezembro',
].map((line) => line.split(' '))

const byName = new Map(names.flatMap((line, at) => line.map((name) => [name, at + 1] as const)))

/** Returns 1 to 12, or null if the text is not the name of a month. */
export function monthOf(text: string): number | null {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return byName.get(plain) ?? null
}
