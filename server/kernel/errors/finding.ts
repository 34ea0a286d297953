// A finding is what a rule says of a component: data, never an exception (specification 7; completions 7).

export type Severity = 'error' | 'warning' | 'info'

/** Another component (or place in it) that a finding names, e.g. the second entry of an overlap. */
export interface RelatedPlace {
  /** `<type>/<key>` */
  component: string
  /** JSON pointer into the envelope, e.g. `/body/effectiveTo`; empty for the whole component. */
  path: string
  note?: string
}

/** One choice that would fix a finding; the caller picks, nothing is fixed unasked. */
export interface Repair {
  /** Stable name of the choice, e.g. `extend_earlier`, `extend_last`, `set_value`, `drop_key`. */
  choice: string
  /** What it does, as an action: "Extend vat_rate.gr_69 to 31 Dec 2019". */
  label: string
}

export interface Finding {
  severity: Severity
  /** Dotted, stable, e.g. `config.range_gap`; every code is listed in `finding-codes.ts`. */
  code: string
  /** `<type>/<key>` of the component at fault. */
  component: string
  /** JSON pointer into the envelope, e.g. `/body/values/rate`. */
  path: string
  /** One or two sentences: the thing, the place, the way out. */
  message: string
  related: RelatedPlace[]
  /** Machine-readable facts of the finding (dates, keys), for repairs and for the studio. */
  facts?: Record<string, string | number | boolean | null>
  repairs?: Repair[]
}

/** Whether a detail of an error is a finding. */
export function isFinding(detail: unknown): detail is Finding {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'severity' in detail &&
    'code' in detail &&
    'message' in detail
  )
}

/** True where at least one finding stops an apply. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}
