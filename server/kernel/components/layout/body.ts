// Body of a layout: the record page of an object, in sections (docs/reference/lookup-field.md).
import { z } from 'zod'
import { section } from '../placement.ts'
import { key } from '../shapes.ts'

export const layoutBody = z.strictObject({ object: key, sections: z.array(section).default([]) })

export type LayoutBody = z.output<typeof layoutBody>
