// A family of metrics in the text format of Prometheus: one name with a series for each combination of labels.

export interface MetricFamily {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  series: readonly MetricSeries[]
}

export interface MetricSeries {
  /** What follows the name of the family: `_bucket`, `_sum`, `_count` of a histogram. */
  suffix?: string
  labels: Readonly<Record<string, string | number>>
  value: number
}

export function familyHead(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

export function familyLines({ name, type, help, series }: MetricFamily): string[] {
  return [...familyHead(name, type, help), ...series.map((each) => seriesLine(name, each))]
}

function seriesLine(name: string, { suffix = '', labels, value }: MetricSeries): string {
  const texts = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`)
  return `${name}${suffix}${texts.length === 0 ? '' : `{${texts.join(',')}}`} ${value}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/**
 * The series of a histogram.
 * @param counts in each class; one more than there are bounds
 */
export function histogramSeries(
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
  { counts, sum }: { counts: readonly number[]; sum: number },
): MetricSeries[] {
  let total = 0
  const buckets = counts.map((count, at) => ({
    suffix: '_bucket',
    labels: { ...labels, le: bounds[at] ?? '+Inf' },
    value: (total += count),
  }))
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }]
}
