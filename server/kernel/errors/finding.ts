// A finding is what a rule reports about a component: data, never an exception.

export type Severity = 'error' | 'warning' | 'info'

/** Another component, or a place in it, that a finding refers to, e.g. the second entry of an overlap. */
export interface RelatedPlace {
  /** `<type>/<key>` */
  component: string
  /** JSON pointer into the envelope, e.g. `/body/effectiveTo`; empty for the whole component. */
  path: string
  note?: string
}

/** One choice that would fix a finding. The caller picks one; nothing is fixed automatically. */
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
  /** `<type>/<key>` of the component that the finding is about. */
  component: string
  /** JSON pointer into the envelope, e.g. `/body/values/rate`. */
  path: string
  /** One or two sentences: what is wrong, where, and how to fix it. */
  message: string
  related: RelatedPlace[]
  /** Machine-readable facts (dates, keys), for repairs and for the studio. */
  facts?: Record<string, string | number | boolean | null>
  repairs?: Repair[]
}

/** Reports whether a detail of an error is a finding. */
export function isFinding(detail: unknown): detail is Finding {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'severity' in detail &&
    'code' in detail &&
    'message' in detail
  )
}

/** Reports whether at least one finding stops an apply. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}
