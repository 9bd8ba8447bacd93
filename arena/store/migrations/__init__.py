"""The revisions of the database. They are part of the package, so that every installation can
migrate what it finds; `arena.store.migrate` applies them when a database is opened.

After a change of `arena.store.schema`, `python -m arena.store.migrations MESSAGE` writes the next
revision into `versions`. Read it, because checks and renamed columns are not found by comparing,
set `HEAD` in `arena.store.migrate`, and run tests/store/test_migrations.py.
"""
