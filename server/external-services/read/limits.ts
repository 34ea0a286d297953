// What one description can cost. Public descriptions of large services stay below half of each.

export interface DescriptionLimits {
  bytes: number
  /** All values together, those behind aliases counted at each use. */
  values: number
  depth: number
  /** Aliases of YAML. */
  aliases: number
}

export const descriptionLimits: DescriptionLimits = {
  bytes: 32 * 1024 * 1024,
  values: 4_000_000,
  depth: 100,
  aliases: 10_000,
}
