/** Returns a size as people write it: `4.63 MiB`, `1 MiB`, `11 KiB`, `96 B`. */
export function formatBytes(count: number): string {
  if (count >= 1024 * 1024) return `${Number((count / 1024 / 1024).toFixed(2))} MiB`
  return count >= 1024 ? `${Math.round(count / 1024)} KiB` : `${count} B`
}
