// A step that every request passes before its route.
import type { Request, Response } from 'express'

/** Throws to refuse the request. */
export type RequestStep = (request: Request, response: Response) => void
