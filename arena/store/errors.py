"""What can go wrong with a store; every message is one sentence for the user.

StoreError
├── Unusable      the database cannot be opened, read or written
│   ├── Temporary of a kind that passes: it can be tried again
│   └── Damaged   a stored record is not what was handed over
└── Rejected      the database is well, the request is not
    ├── Unknown   it names something that is not there
    └── Conflict  the name or key is there already, with other content
"""


class StoreError(Exception):
    """Anything below; nothing has been stored by the call that raised it."""


class Unusable(StoreError):
    """The database cannot be used: no such folder, no database, busy, disk full, damaged, newer."""


class Temporary(Unusable):
    """The same for a while: busy, disk full, read-only, an error of the disk. It may pass."""


class Damaged(Unusable):
    """A record is not what was handed over; the result of its set stands beside it, and counts."""


class Rejected(StoreError):
    """The request cannot be met; asking again will not help."""


class Unknown(Rejected):
    """There is no bot, version, tournament, entry or set of that name."""


class Conflict(Rejected):
    """What is stored under that name or key has another content, and stays."""
