"""The sample bots that have a folder of their own, in every language: built, checked, played."""
