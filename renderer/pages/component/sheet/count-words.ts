/** `1 cell`, `1,200 cells`. */
export function countWords(many: number, one: string): string {
  return `${many.toLocaleString('en-GB')} ${many === 1 ? one : `${one}s`}`
}
