// Form of a webhook endpoint.
import type { FormDescriptor } from '../form.ts'

export const webhookEndpointForm: FormDescriptor = {
  sections: [
    {
      title: 'Endpoint',
      fields: [
        {
          path: 'path',
          label: 'Path',
          help: 'The path that receives deliveries.',
          widget: 'text',
          required: true,
          placeholder: '/hooks/payments',
        },
        {
          path: 'runAs',
          label: 'Runs as',
          help: 'The user whose permission sets decide what a delivery can write.',
          widget: 'text',
          required: true,
        },
      ],
    },
    {
      title: 'Verification',
      fields: [
        {
          path: 'verification',
          label: 'Signature',
          help: 'How deliveries are verified.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'scheme',
              label: 'Scheme',
              help: 'The algorithm of the signature.',
              widget: 'select',
              required: true,
              options: [{ value: 'hmac_sha256', label: 'HMAC with SHA-256' }],
            },
            {
              path: 'externalCredential',
              label: 'Secret',
              help: 'The credential with the shared secret in its store.',
              widget: 'reference',
              required: true,
              refTypes: ['external_credential'],
            },
            {
              path: 'signatureHeader',
              label: 'Signature header',
              help: 'The header with the signature.',
              widget: 'text',
              required: true,
            },
            {
              path: 'signedPayload',
              label: 'Signed text',
              help: 'The text that is signed, with {timestamp}, {id} and {body} for its parts.',
              widget: 'text',
              placeholder: '{timestamp}.{body}',
            },
            {
              path: 'timestampHeader',
              label: 'Time header',
              help: 'The header with the time, or a part of another header, as in Stripe-Signature#t.',
              widget: 'text',
            },
            {
              path: 'toleranceSec',
              label: 'Tolerance (s)',
              help: 'The maximum difference between the time of the delivery and the time of the server.',
              widget: 'number',
            },
          ],
        },
      ],
    },
    {
      title: 'Duplicates',
      fields: [
        {
          path: 'dedupe',
          label: 'Duplicates',
          help: 'How duplicate deliveries are detected.',
          widget: 'group',
          fields: [
            {
              path: 'idHeader',
              label: 'Id header',
              help: 'The header with the id of the delivery, or a path in the body, as in body:/id.',
              widget: 'text',
            },
            {
              path: 'windowHours',
              label: 'Window (h)',
              help: 'How long the ids of deliveries are kept.',
              widget: 'number',
            },
          ],
        },
      ],
    },
    {
      title: 'Dispatch',
      fields: [
        {
          path: 'dispatch',
          label: 'Target',
          help: 'Choose exactly one: a channel, an automation or a record.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'publishTo',
              label: 'Channel',
              help: 'Publishes the delivery as an event.',
              widget: 'reference',
              refTypes: ['event_channel'],
            },
            {
              path: 'automation',
              label: 'Automation',
              help: 'Calls an invocable automation.',
              widget: 'reference',
              refTypes: ['automation'],
            },
            {
              path: 'upsert',
              label: 'Record',
              help: 'Creates or changes a record.',
              widget: 'group',
              fields: [
                {
                  path: 'object',
                  label: 'Object',
                  help: 'The object whose record is written.',
                  widget: 'reference',
                  required: true,
                  refTypes: ['object'],
                },
                {
                  path: 'externalId',
                  label: 'Matched by',
                  help: 'The unique field that identifies an existing record.',
                  widget: 'object_field',
                  required: true,
                },
                {
                  path: 'values',
                  label: 'Values',
                  help: 'For each field, a pointer into the delivered body such as /data/amount.',
                  widget: 'map',
                  required: true,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}
