// Which environments are production, where more is asked of whoever deploys (studio: Deploy).

/** `prod`, `production`, `prod-eu`. */
export function isProduction(environment: string): boolean {
  return /^prod/i.test(environment)
}
